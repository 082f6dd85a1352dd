"""Published tables and figures, computed beside what the papers print: one a file, a folder for each paper.

Begin with ``registry``.
"""
