"""Destination graphs as routings."""
