"""Simulations on wirings and networks: packets, circuits, faults; each checks itself as it runs."""
