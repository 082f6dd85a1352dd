"""The best oblivious routing: linear programs, solvers for them, and certificates of what was reached.

Solvers propose; every claim is made exact and proved by an adversary (``adversary``). Begin with ``worst_case``.
"""
