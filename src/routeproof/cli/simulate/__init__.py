"""``routeproof simulate KIND``: one kind of simulation a file.

Begin with ``packets``.
"""
