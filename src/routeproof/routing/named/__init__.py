"""Routings by name: names and aliases, options, texts and files to routings, and how reports name them.

Begin with ``spec``.
"""
