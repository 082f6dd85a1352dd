"""The command line: options in, answers asked for, tables and files out, exit status.

No theorem and no claim is made here. ``main`` lists the verbs, ``app`` builds them lazily so that ``--help`` stays
fast. Begin with ``main``.
"""
