"""Collectives: how fast an operation can be, and is a schedule of one right?

What finds it is ``optimum.collectives`` and ``worst.schedules``; here stand the questions.  Begin with ``best``.
"""
