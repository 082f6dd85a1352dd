"""A verb, or a few of a kind, a file: frozen dataclasses of what can be asked, with types, helps and ``answer()``.

The command, the Python function, its docstring and the reference pages are made from it (``cli.frame.asked``,
``api.functions``).  Declarations import nothing heavy; what finds an answer is imported when it is asked for.
Begin with ``question``.
"""
