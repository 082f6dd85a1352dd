"""Graphs without coordinates: random regular graphs, Kautz digraphs, the Petersen graph.

Begin with ``random_regular``.
"""
