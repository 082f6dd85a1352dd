"""What failures do: which rule they follow, every one of them judged, and what each proves, as claims.

The rules are ``routing.base.repair`` and ``routing.base.hop_by_hop``.  Begin with ``every_failure``, then ``rules``.
"""
