"""Worst cases over sets of demands that are more than one transportation problem a channel.

Curves over the number of packets, boxes, lists of matrices, and jobs. Each gives an exact value, the demand that
reaches it, and the multipliers that prove it. Begin with ``sparse_curve``.
"""
