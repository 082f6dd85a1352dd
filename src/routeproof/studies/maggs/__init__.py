"""Maggs, Randomly Wired Multistage Networks; Leighton & Maggs 1992, Fast algorithms for routing around faults.

Begin with ``packets``.
"""
