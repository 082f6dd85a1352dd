"""Verbs that are no questions, one a file: their options and help, and the order in which things are asked and printed.

Begin with ``search``.
"""
