"""Forwarding tables of lids, service levels and virtual lanes as routings."""
