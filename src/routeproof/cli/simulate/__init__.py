"""``routeproof simulate``: one kind of run a file."""
