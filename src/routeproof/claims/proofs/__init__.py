"""Proofs: a report that was verified, with everything written out for a checker that knows nothing of this package.

``docs/proof-format.md`` is the format.  Names become loads and lists, classes under symmetry become every member,
packed potentials become one number for each terminal.  Nothing here is trusted: whoever reads a proof checks it.

``proof`` collects and writes one; ``written`` writes out networks, routings, sets and demands; ``images`` carries
evidence along symmetry.  Each other module knows some kinds of evidence: its ``ELABORATED`` says which, and ``report``
asks them.  Begin with ``report``.
"""
