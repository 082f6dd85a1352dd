"""Multistage networks of 2d x 2d switches (Maggs): wirings, splitters, graphs of calls.

Building them by name is ``topologies.multistage``. Begin with ``wiring``.
"""
