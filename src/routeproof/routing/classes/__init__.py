"""Routings given for one pair of every class that symmetry cannot tell apart."""
