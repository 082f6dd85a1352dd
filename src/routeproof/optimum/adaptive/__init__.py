"""Ideal adaptive routing: the most that any demand of a set congests a network whose flows may depend on the demand.

From above an oblivious routing bounds it, or flows for every extreme demand; from below one demand with channel lengths
does.  Here the demand is searched for, and small sets are gone through; what a designed routing is, is ``optimum``'s.
Begin with ``search``.
"""
