"""Collectives: how fast an operation can be, as claims.

What finds it is ``optimum.collectives``; here stands the question.  Begin with ``best``.
"""
