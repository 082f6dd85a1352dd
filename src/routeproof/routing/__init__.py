"""Oblivious routings: every (source, destination) pair gets a distribution over paths."""
