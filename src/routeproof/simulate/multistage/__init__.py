"""Runs on multistage networks from their texts: once, in trials, in sweeps; and faults."""
