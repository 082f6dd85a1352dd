"""Checkers of claims about schedules of collectives: orders and cycles held against the relation, steps run again.

The report carries the schedule as a document; which step precedes which, and what a step does, is ``core.schedules``.
Begin with ``schedule_claims``.
"""
