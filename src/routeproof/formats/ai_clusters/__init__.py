"""Topologies of AI clusters as simulators and vendors write them: SimAI and ns-3, htsim, ASTRA-sim, Tenstorrent.

Begin with ``ns3``: a list of links.
"""
