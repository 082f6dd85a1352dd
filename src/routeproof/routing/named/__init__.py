"""Routings by name: names and aliases, options, texts and files to routings, and what reports say of them."""
