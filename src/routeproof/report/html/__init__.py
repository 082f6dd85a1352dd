"""A report as one page for a browser; its scripts and styles lie in ``assets``.

Begin with ``page``.
"""
