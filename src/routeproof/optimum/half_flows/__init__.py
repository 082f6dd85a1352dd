"""The best worst case over all permutations where channels are equal in both directions: one flow for each node with
terminals, not for each pair (an interior-point method)."""
