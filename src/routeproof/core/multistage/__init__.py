"""Multistage networks of 2d x 2d switches (Maggs): wirings, splitters, networks for calls."""
