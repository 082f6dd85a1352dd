"""Towles, Dally & Boyd 2003, Throughput-centric routing algorithm design (SPAA 2003).

Begin with ``table_1``.
"""
