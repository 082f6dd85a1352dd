"""Routings on tori and meshes in closed form: dimension order, Valiant, ROMM, O1TURN, RLB, IVAL and others.

A routing is a few lines over ``lines`` (one dimension, and the order of dimensions), and registered in its file, by a
``RoutingEntry``; ``loads`` turns it into the loads of channels, ``relative`` does so from a table by displacement.
Begin with ``dor``, then ``loads``.
"""
