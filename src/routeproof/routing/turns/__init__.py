"""Routings on grids whose paths make few turns: 2TURN, 5TURNS, U2TURN, W2TURN, and their sets of paths.

Begin with ``turns``.
"""
