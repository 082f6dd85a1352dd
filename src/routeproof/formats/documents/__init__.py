"""The package's own JSON documents: networks, routings, wirings, reports; and files of traffic and permutations.

Begin with ``network``.
"""
