"""Whole flows on a routing whose switches hash: who may take which path, with which probability, seen at random.

Begin with ``flows``: a permutation's flows and the stages of channels of which each flow crosses one.  The worst hash
is a bound on any routing and lives in ``routing.base.worst_hash``.
"""
