"""One verb a file: a frozen dataclass of what can be asked, with type, help and default, and its ``answer()``.

The command, the Python function, its docstring and the reference pages are made from it (``cli.frame.asked``,
``api.functions``).  Declarations import nothing heavy; what finds an answer is imported when it is asked for.
Begin with ``question``.
"""
