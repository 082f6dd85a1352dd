"""Forwarding tables of LIDs, service levels and virtual lanes as routings.

Begin with ``forwarding_tables``.
"""
