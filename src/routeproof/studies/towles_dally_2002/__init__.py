"""Towles & Dally 2002, Worst-case traffic for oblivious routing functions (SPAA 2002).

Begin with ``table_1``.
"""
