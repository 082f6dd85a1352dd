"""One verb a file: its options and help, and the order in which things are asked and printed.

Begin with ``worst_case``.
"""
