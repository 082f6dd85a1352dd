"""Routings by text: ``romm:tie=union``, ``mix:1/2*dor+1/2*valiant``, a routing file, ``module:function``.

The grammar is that of the command line: names and their options are stable.  Of routings of other packages a
report holds nothing but their loads, paths or tables, and these are what is judged.
"""

from __future__ import annotations

import os
import re
from typing import Any

from ...core.display import short
from ...core.errors import InputError, warn
from ...core.network import Network
from ...core.strangers import strangers
from ...formats.python_functions import check_not_nearly, is_function_name, load_function, with_settings
from ...formats.text_files import is_like_a_file
from ..base.entry import RoutingEntry, settings_of, whole
from ..base.routing import Routing
from ..base.worst_hash import WorstHash, without_worst_hash
from ..fabrics.path_records import OPTION, with_records
from ..files.table import is_file, routing_from_file
from ..path_sets.names import is_path_set, path_set
from ..path_sets.path_set import PathSet
from .described import paths_of, routing_from_description
from .names import (
    NEAREST,
    ROUTINGS,
    built,
    checked_text,
    is_taken,
    mixture_of,
    nearest,
    options_of,
    real_name,
    without_old_name,
)


def routing_from_spec(text: str, network: Network, *, shares: bool = True) -> Routing:
    """The routing that ``text`` names, on ``network``; names that users should not write any more, or that meant
    something else, get a line (``shares``: are the shares of its paths of interest, or only which paths there are?).

    - ``name`` or ``name:option=value,...``: see ``ROUTINGS``; another name of the same, or of another package's;
    - ``mix:1/2*dor+1/2*romm:tie=union``: a mixture, with options inside;
    - ``worst-hash:ROUTING``: the bound on whole flows of any of these (``base.worst_hash``);
    - the path of a routing file; ``FILE,path-records=FILE``: tables of several lids, of which each source uses one;
    - ``module:function[,states=N]`` or ``file.py:function``: the user's incremental function, other options are its
      own; ``,samples=N[,seed=S]`` samples its paths.

    Raises InputError, with the nearest match for a name or option that is not known.
    """
    text = checked_text(text)
    if (inner := without_worst_hash(text)) is not None:
        return WorstHash(routing_from_spec(inner, network, shares=False))
    tables, option, records = text.rpartition(OPTION)
    if option and not is_file(text):
        return with_records(routing_from_spec(tables, network, shares=shares), records)
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
        return _routing_from_function(function, settings, network)
    check_not_nearly(text)
    if os.path.exists(text):
        kind = "a directory" if os.path.isdir(text) else "a device or a pipe"
        raise InputError(f"routing '{short(text)}' is {kind}; a file was expected (a folder of dumps is a network)")
    if is_like_a_file(text):
        raise InputError(f"there is no file {short(text)}; a routing was expected there")
    several = [x.strip() for x in text.split(",")]
    if len(several) > 1 and all(real_name(x) in ROUTINGS.own for x in several):
        raise InputError(f"'{short(text)}' names {len(several)} routings; one was expected (compare takes several)")
    if name.lower() in NEAREST:
        raise InputError(f"routing '{short(text)}': {NEAREST[name.lower()]}")
    hint = nearest(name, ROUTINGS.names())
    raise InputError(
        f"unknown routing '{short(text)}'; {hint} (or a routing file, module:function or file.py:function)"
    )


def _of_another_package(name: str, options: str | None, network: Network, text: str) -> Routing:

    if is_file(text):
        raise InputError(f"'{short(text)}' is a file and a routing of another package; ./{short(text)} is the file")
    entry = ROUTINGS.find(name)
    if entry is None:
        raise InputError(f"unknown routing '{short(text)}'")
    return outside_routing(entry, options_of(entry, options), network, name=text)


_NAME = re.compile(r"[a-z][a-z0-9-]*")


_OURS = ("states", "samples", "seed")
_ARGUMENTS = 3  # state, node, destination


def _routing_from_function(name: str, settings: list[str], network: Network) -> Routing:
    """The routing of the user's function ``module:function`` or ``file.py:function``: exact, or with ``samples``
    sampled.  Settings that are not ours are options of the function.

    Raises InputError for options that do not go together, and as ``load_function`` does.
    """
    given = settings_of(name, settings, None)
    found = {key: whole(name, key, given.pop(key)) for key in _OURS if key in given}
    title = ",".join([name, *(f"{key}={value}" for key, value in given.items())])
    with strangers(f"function {name}"):
        function = with_settings(load_function(name), name, given, after=_ARGUMENTS, besides=_OURS)
    if "samples" in found:
        from ..function.incremental import Sampled

        if "states" in found:
            raise InputError(f"{name}: 'states' is for exact loads, 'samples' for sampled ones; give one of them")
        samples, seed = found["samples"], found.get("seed", 0)
        text = f"{title},samples={samples},seed={seed}"
        return Sampled(function, samples=samples, seed=seed, name=text).on(network)
    if "seed" in found:
        raise InputError(f"{name}: 'seed' goes with 'samples'; exact loads have no seed")
    from ..function.incremental import Incremental

    if "states" in found:
        return Incremental(function, name=title, max_states=found["states"]).on(network)
    return Incremental(function, name=title).on(network)


def paths_given(given: str | Routing | PathSet | None, network: Network) -> PathSet | None:
    """A set of paths, by name, or those of a routing; None and "all" for all paths.  Raises InputError."""
    if given is None or given == "all":
        return None
    if isinstance(given, PathSet):
        return given
    return paths_from_spec(given, network) if isinstance(given, str) else paths_of(given)


def paths_from_spec(text: str, network: Network) -> PathSet:
    """The set of paths that ``text`` names (``path_sets.names``), else those of the routing that it names, which may be
    a file.  Raises InputError for neither."""
    text = text.strip()
    name, _, options = text.partition(":")
    of_set = name == "virtual-channels" or (name == "ksp" and "=" not in options.partition(",")[0])
    if of_set or is_path_set(text):
        return path_set(text, network)
    try:
        routing = routing_from_spec(text, network, shares=False)
    except InputError as error:
        if str(error).startswith("unknown routing"):
            raise InputError(
                f"unknown paths '{text[:40]}'; 2turn, minimal, ksp:K, tables or a routing was expected; "
                f"{str(error).partition('; ')[2]}"
            ) from None
        raise
    return paths_of(routing)


def outside_routing(entry: RoutingEntry, options: dict[str, Any], network: Network, *, name: str) -> Routing:
    """The routing that another package makes, read back from what a report would say of it under ``name``.

    Its forwarding tables if it has some, else its explicit paths, else its loads are in the report, in full; it is
    checked to deliver every pair, and what it says of its symmetry is not asked.  So it is judged as whoever has only
    the report will judge it.

    Raises InputError for a name that reads like one of this package's, for a package that fails or makes no routing on
    this network, and for loads that are sampled, wrong or too many.
    """
    if not _NAME.fullmatch(entry.name) or is_taken(entry.name):
        raise InputError(
            f"routing {entry.name[:40]} of another package: its name must be small letters, digits and dashes, and not "
            f"read like a name of this package"
        )
    made = _made(entry, options, network)
    with strangers(ROUTINGS.whose(entry.name)):
        data = _description(made, name)
    found = routing_from_description(data, network)
    found.check()
    return found


def _made(entry: RoutingEntry, options: dict[str, Any], network: Network) -> Routing:
    made: Routing = entry.build(network, options)
    with strangers(ROUTINGS.whose(entry.name)):
        elsewhere, sampled = made.network is not network, bool(made.is_sampled)
    if elsewhere:
        raise InputError(f"{ROUTINGS.whose(entry.name)} makes a routing on another network; one on this was expected")
    if sampled:
        raise InputError(f"{ROUTINGS.whose(entry.name)} has sampled loads; exact ones were expected")
    return made


def _description(made: Routing, name: str) -> dict[str, Any]:
    if made.parts:
        parts = [[str(weight), _description(part, f"{name}#{k}")] for k, (weight, part) in enumerate(made.parts)]
        return {"spec": name, "parts": parts}
    return {"spec": name, **made.written_in_full(paths=True)}
