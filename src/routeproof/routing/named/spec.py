"""Routings by text: ``romm:tie=union``, ``mix:1/2*dor+1/2*valiant``, a routing file, ``module:function``.

The grammar is that of the command line: names and their options are stable.
"""

from __future__ import annotations

import os
import re

from ...core.display import short
from ...core.errors import InputError, warn
from ...core.network import Network
from ...formats.python_functions import check_not_nearly, is_function_name
from ..base.routing import Routing
from ..base.worst_hash import WorstHash, without_worst_hash
from ..files.table import is_file, routing_from_file
from ..function.given_function import routing_from_function
from .names import ROUTINGS, real_name, without_old_name
from .own import built, checked_text, mixture_of, nearest, options_of


def routing_from_spec(text: str, network: Network, *, shares: bool = True) -> Routing:
    """The routing that ``text`` names, on ``network``; names that users should not write any more, or that meant
    something else, get a line (``shares``: are the shares of its paths of interest, or only which paths there are?).

    - ``name`` or ``name:option=value,...``: see ``ROUTINGS``; another name of the same, or of another package's;
    - ``mix:1/2*dor+1/2*romm:tie=union``: a mixture, with options inside;
    - ``worst-hash:ROUTING``: the bound on whole flows of any of these (``base.worst_hash``);
    - the path of a routing file;
    - ``module:function[,states=N]`` or ``file.py:function``: the user's incremental function, other options are its
      own; ``,samples=N[,seed=S]`` samples its paths.

    Raises InputError, with the nearest match for a name or option that is not known.
    """
    text = checked_text(text)
    if (inner := without_worst_hash(text)) is not None:
        return WorstHash(routing_from_spec(inner, network, shares=False))
    if text.startswith("mix:"):
        return mixture_of(text, lambda part: routing_from_spec(part, network, shares=shares))
    name, colon, options = (text if is_file(text) else real_name(text)).partition(":")
    if name in ROUTINGS.own:
        entry, asked = ROUTINGS.own[name], options if colon else None
        found = built(entry, asked, network)
        if (now := without_old_name(text)) != text:
            warn(f"'{short(text)}' is an old name; write {now}")
        elif shares and entry.aside and (line := entry.aside(network, options_of(entry, asked))):
            warn(line)
        return found
    if name in ROUTINGS.others:
        return _of_another_package(name, options if colon else None, network, text)
    if is_file(text):
        return routing_from_file(text, network)
    function, *settings = text.split(",")
    if is_function_name(function):
        return routing_from_function(function, settings, network)
    check_not_nearly(text)
    if "/" in text or "\\" in text or re.search(r"\.(json|csv|txt|lft|lst|gz)$", text.lower()):
        problem = "is not a regular file" if os.path.exists(text) else "does not exist"
        raise InputError(f"routing file '{short(text)}' {problem}; a routing document was expected there")
    hint = nearest(name, ROUTINGS.names())
    raise InputError(
        f"unknown routing '{short(text)}'; {hint} (or a routing file, module:function or file.py:function)"
    )


def _of_another_package(name: str, options: str | None, network: Network, text: str) -> Routing:
    from .outside import outside_routing

    if is_file(text):
        raise InputError(f"'{short(text)}' is a file and a routing of another package; ./{short(text)} is the file")
    entry = ROUTINGS.find(name)
    if entry is None:
        raise InputError(f"unknown routing '{short(text)}'")
    return outside_routing(entry, options_of(entry, options), network, name=text)
