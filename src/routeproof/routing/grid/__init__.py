"""Routings on tori and meshes in closed form: dimension order, Valiant, ROMM, O1TURN, RLB, IVAL and others.

A routing is a few lines over ``lines`` (one dimension) and ``orders`` (the order of dimensions); ``loads`` turns them
into the loads of channels. Begin with ``loads``.
"""
