"""Hwang, Yao & Dasgupta, Some permutation routing algorithms for low dimensional hypercubes.

Begin with ``steps``.
"""
