"""Packets of an oblivious routing under ideal flow control, at rates around the proved throughput."""
