"""Collectives: is a schedule of one right?

What finds it is ``worst.schedules``; here stands the question.  Begin with ``schedule``.
"""
