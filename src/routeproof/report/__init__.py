"""Rendering of results: JSON, tables, plots."""
