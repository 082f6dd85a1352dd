"""The command line: options in, answers asked for, tables and files out, exit status.

No theorem and no claim is made here. ``main`` listens for Ctrl-C and turns errors into a line; ``app`` puts the verbs
together, which import what they need when they run. Begin with ``app``.
"""
