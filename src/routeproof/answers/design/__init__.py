"""Designed routings: the best oblivious routing for a worst case, an average case or capacity, and forwarding tables.

What solves the programs is ``design``; here stand the questions and what is claimed.  Begin with ``answer``.
"""
