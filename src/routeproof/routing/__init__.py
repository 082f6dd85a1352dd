"""Oblivious routings: every pair of terminals gets a distribution over paths.

A routing answers one question for the analysis, the pair loads of a channel (``base.routing``), and declares what else
it can tell. One routing a file, in the room of its idea; names are given in ``named``. Begin with ``base.routing``.
"""
