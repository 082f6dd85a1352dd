"""What ``import routeproof as rp`` offers for every verb: a function, and a result that shows itself in a notebook.

Nothing is computed or drawn here that is not in ``questions`` or ``report``; the command does not use it. Begin with
``result``.
"""
