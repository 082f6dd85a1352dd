"""Our own documents (JSON): networks, routings, next hops, wirings, reports; and files of traffic and permutations."""
