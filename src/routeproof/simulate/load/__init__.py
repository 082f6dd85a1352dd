"""Packets of an oblivious routing with queues, at rates around the proved throughput.

Begin with ``queueing``.
"""
