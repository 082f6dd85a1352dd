"""Tables and sentences for the terminal.

Begin with ``table``.
"""
