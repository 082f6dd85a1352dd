"""Routings from the user's own function, hop by hop: exact from its states, or sampled.

Begin with ``user_function``.
"""
