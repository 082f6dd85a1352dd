"""Routings on tori and meshes by closed form: dimension order, Valiant, ROMM, O1TURN, RLB, IVAL.  Begin with ``loads``."""
