"""Schedules of collectives: what every thread block of every rank does, which step waits for which, what comes out.

A schedule is data (``schedule``); what a collective asks for is a table (``collectives``).  Which steps precede which
is ``relation``, which slots a step touches is ``accesses``, and ``execution`` runs the steps on symbols.  Files are
read in ``formats.schedules``; nothing here searches.
Begin with ``schedule``.
"""
