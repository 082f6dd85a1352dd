"""Routings on any network: minimal, k shortest paths, up*/down*, weighted multipath; and fat trees, dragonflies."""
