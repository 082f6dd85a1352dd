"""Runs on multistage networks by name: once, in trials, in sweeps, with faults.

Begin with ``runs``.
"""
