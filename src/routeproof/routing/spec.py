"""Routings by text: ``romm:tie=union``, ``mix:1/2*dor+1/2*valiant``, a routing file, ``module:function``.

The grammar is that of the command line: names and their options are stable.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..core.errors import InputError, did_you_mean
from ..core.network import Network
from ..core.rational import parse_fraction
from .base import Routing
from .practice import PRACTICE
from .user_function import is_function_name, load_function, short

__all__ = ["DESIGNED", "ROUTINGS", "Designed", "Entry", "routing_from_description", "routing_from_spec"]

_MAX_TEXT = 4000
_DIGITS = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True)
class Entry:
    """A routing by name: one line of help, its options (each with one line of help), and how it is made."""

    help: str
    make: Callable[[Network, dict[str, Any]], Routing]
    options: Mapping[str, str] = field(default_factory=dict)
    whole_numbers: frozenset[str] = frozenset()


def _dor(network: Network, options: dict[str, Any]) -> Routing:
    from .dor import DOR

    return DOR(**options).on(network)


def _valiant(network: Network, options: dict[str, Any]) -> Routing:
    if network.grid is not None or options:
        from .valiant import Valiant

        return Valiant(**options).on(network)
    from .anygraph_valiant import AnyGraphValiant

    return AnyGraphValiant(network)


def _romm(network: Network, options: dict[str, Any]) -> Routing:
    from .romm import ROMM

    return ROMM(**options).on(network)


def _o1turn(network: Network, options: dict[str, Any]) -> Routing:
    from .o1turn import O1TURN

    return O1TURN(**options).on(network)


def _minimal(network: Network, options: dict[str, Any]) -> Routing:
    from .minimal import Minimal

    return Minimal(**options).on(network)


def _rlb(network: Network, options: dict[str, Any]) -> Routing:
    from .rlb import RLB

    return RLB(**options).on(network)


def _rlbth(network: Network, options: dict[str, Any]) -> Routing:
    from .rlb import RLB

    return RLB(threshold=True, **options).on(network)


def _ival(network: Network, options: dict[str, Any]) -> Routing:
    from .ival import IVAL

    return IVAL(**options).on(network)


def _u2turn(network: Network, options: dict[str, Any]) -> Routing:
    from .u2turn import U2TURN

    return U2TURN(**options).on(network)


def _wrd(network: Network, options: dict[str, Any]) -> Routing:
    from .wrd import WRD

    return WRD(**options).on(network)


def _turns(network: Network, options: dict[str, Any]) -> Routing:
    from .turns import Turns

    return Turns(**options).on(network)


_PHASES = "random in each phase, or an order such as xy for both, or both such as xy-yx"
_TIE = "split (either way alike) or plus, at distance k/2 of an even torus dimension"

ROUTINGS: Mapping[str, Entry] = {
    "dor": Entry(
        "dimension order, x first, on tori, meshes and HyperX (e-cube, XY)",
        _dor,
        {"tie": _TIE, "order": "the order of dimensions, such as yx, or random"},
    ),
    "valiant": Entry(
        "through a random node; on grids in dimension order, elsewhere by random shortest paths",
        _valiant,
        {"tie": _TIE},
    ),
    "romm": Entry(
        "two-phase minimal through a random node of the minimal quadrant",
        _romm,
        {"tie": "split or union, at distance k/2", "order": "random, or both phases' orders, such as xy-yx"},
    ),
    "o1turn": Entry("xy or yx with probability 1/2 each, in two dimensions", _o1turn, {"tie": _TIE}),
    "rlb": Entry(
        "randomized local balance: on tori, each dimension's way of L hops with probability (k - L)/k",
        _rlb,
        {"order": _PHASES},
    ),
    "rlbth": Entry("RLB, but always the short way where fewer than k/4 hops are needed", _rlbth, {"order": _PHASES}),
    "ival": Entry(
        "Valiant's with a reversed second phase and loops removed, on tori",
        _ival,
        {
            "order": "the order of phase one, such as yx, or random",
            "phases": "reversed, or same: phase two in the order of phase one",
            "tie": _TIE,
        },
    ),
    "u2turn": Entry("on meshes of two dimensions, at most two turns through a random column or row", _u2turn),
    "wrd": Entry("weighted random directions on rings: the shortest paths among the best worst cases", _wrd),
    "minimal": Entry(
        "random shortest paths, on any network",
        _minimal,
        {"choice": "per-path (uniform over shortest paths) or per-hop (uniform over the next channels)"},
    ),
    "ecmp": Entry("another name of minimal:choice=per-path", _minimal),
    "turns": Entry(
        "minimal paths of few turns, in two dimensions; turns:limit=4,start=virtual is 5TURNS",
        _turns,
        {"limit": "the most turns that a packet makes", "start": "virtual (it may turn at its source) or strict"},
        frozenset({"limit"}),
    ),
    **{name: Entry(*entry) for name, entry in PRACTICE.items()},
}


@dataclass(frozen=True)
class Designed:
    """A routing that a linear program makes: ``module:function`` does it, from the network and the text of the options.

    It is named by text because this room knows nothing of design; ``paths``: the path set that its name promises.
    """

    help: str
    function: str
    paths: str
    options: Mapping[str, str] = field(default_factory=dict)


DESIGNED: Mapping[str, Designed] = {
    "2turn": Designed(
        "the best worst case, then the shortest paths, with paths of at most two turns; solved for when asked for",
        "routeproof.design.two_turn:two_turn",
        "2turn",
    ),
    "2turna": Designed(
        "the best average case, then the shortest paths, with paths of at most two turns; solved for when asked for",
        "routeproof.design.two_turn:two_turn_average",
        "2turn",
        {
            "traffic": "permutation, two-permutations, three-permutations or sinkhorn",
            "samples": "how many random matrices it is made for (100)",
            "seed": "of the sample (0)",
        },
    ),
}


def _designed(name: str, options: str | None, network: Network) -> Routing:
    from importlib import import_module

    entry = DESIGNED[name]
    found: dict[str, str] = {}
    for key, value in _settings(name, [] if options is None else options.split(",")):
        if key not in entry.options:
            known = did_you_mean(key, entry.options) if entry.options else f"{name} has no options"
            raise InputError(f"{name}: unknown option '{short(key)}'; {known}")
        if key in found:
            raise InputError(f"{name}: option '{key}' is given twice")
        found[key] = value
    module, _, function = entry.function.partition(":")
    made: Routing = getattr(import_module(module), function)(network, found)
    return made


def routing_from_spec(text: str, network: Network) -> Routing:
    """The routing that ``text`` names, on ``network``.

    - ``name`` or ``name:option=value,...``: see ``ROUTINGS``;
    - ``mix:1/2*dor+1/2*romm:tie=union``: a mixture, with options inside;
    - the path of a routing file;
    - ``module:function[,states=N]``: the user's incremental function; ``,samples=N[,seed=S]`` samples its paths.

    Raises InputError, with the nearest match for a name or option that is not known.
    """
    return _build(text, network, outside=True)


def _build(text: str, network: Network, *, outside: bool) -> Routing:
    """``outside``: may the text lead to a file or to the user's code?"""
    text = text.strip()
    if not text or len(text) > _MAX_TEXT:
        raise InputError(f"the routing is {'empty' if not text else 'too long'}; {_expected()}")
    name, colon, options = text.partition(":")
    if name == "mix" and colon:
        return _mixture(options, network, outside=outside)
    if name in ROUTINGS:
        return _named(name, options if colon else None, network)
    if name in DESIGNED:
        if not outside:
            raise InputError(f"'{name}' is solved for; where nothing may be solved its paths were expected in full")
        return _designed(name, options if colon else None, network)
    hint = did_you_mean(name, [*ROUTINGS, *DESIGNED, "mix"])
    if not outside:
        raise InputError(f"'{short(text)}' names no built-in routing; {hint}")
    if _is_file(text):
        return _from_file(text, network)
    function, *settings = text.split(",")
    if is_function_name(function):
        return _from_function(function, settings, network)
    if "/" in text or "\\" in text or re.search(r"\.(json|csv|txt|lft|lst|gz)$", text.lower()):
        problem = "is no regular file" if os.path.exists(text) else "does not exist"
        raise InputError(f"routing file '{short(text)}' {problem}; a routing document was expected there")
    raise InputError(f"unknown routing '{short(text)}'; {hint} (or a routing file, or module:function)")


def _expected() -> str:
    return f"a name ({', '.join([*ROUTINGS, *DESIGNED])}, mix), a routing file or module:function was expected"


def _named(name: str, options: str | None, network: Network) -> Routing:
    entry = ROUTINGS[name]
    found: dict[str, Any] = {}
    for key, value in _settings(name, [] if options is None else options.split(",")):
        if key not in entry.options:
            known = did_you_mean(key, entry.options) if entry.options else f"{name} has no options"
            raise InputError(f"{name}: unknown option '{short(key)}'; {known}")
        if key in found:
            raise InputError(f"{name}: option '{key}' is given twice")
        found[key] = _whole(name, key, value) if key in entry.whole_numbers else value
    return entry.make(network, found)


def _settings(name: str, parts: list[str]) -> list[tuple[str, str]]:
    result = []
    for part in parts:
        key, equals, value = (x.strip() for x in part.partition("="))
        if not (key and equals and value):
            raise InputError(f"{name}: '{short(part)}' is no option; option=value was expected")
        result.append((key, value))
    return result


def _whole(name: str, key: str, value: str) -> int:
    if not _DIGITS.fullmatch(value):
        raise InputError(f"{name}: {key} is '{short(value)}'; a whole number of at most 9 digits was expected")
    return int(value)


def _mixture(text: str, network: Network, *, outside: bool) -> Routing:
    from .mixture import Mixture

    parts = []
    for term in re.split(r"\+(?=[^+*]*\*)", text):
        weight, star, spec = term.partition("*")
        if not star or not weight.strip() or not spec.strip():
            raise InputError(
                f"mix: '{short(term)}' is no part; weight*routing was expected, as in mix:1/2*dor+1/2*romm"
            )
        if "+" in spec and not _is_file(spec.strip()):
            raise InputError(f"mix: '{short(spec.rpartition('+')[2])}' is no part; weight*routing was expected")
        if spec.strip().startswith("mix:"):
            raise InputError("mix: a mixture cannot hold another one; multiply the weights instead")
        parts.append((parse_fraction(weight, what="mix: a weight"), _build(spec, network, outside=outside)))
    return Mixture(parts)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long, or with a null character
        return False


def _from_file(text: str, network: Network) -> Routing:
    from ..formats.json_text import read_json_object
    from ..formats.routing_document import paths_on_network
    from ..formats.text_files import shown
    from .table import TableRouting

    if text.lower().endswith(".py"):
        module = Path(text).stem
        raise InputError(f"'{short(text)}' is a Python file; name its function, as in {short(module)}:function")
    from .infiniband import forwarding_in_file

    forwarding = forwarding_in_file(text, network)
    if forwarding is not None:
        return forwarding
    document, what = read_json_object(text, wanted="a routing document"), f"file {shown(text)}"
    if document.get("format") == "routeproof/destination-graph":
        return _destination_graph(document, network, name=text, what=what)
    if document.get("format") == "routeproof/next-hop":
        from .next_hop_file import routing_of_document

        return routing_of_document(document, network, name=text, what=what)
    if document.get("format") == "sst-anytopo":
        from .sst import routing_of_sst

        return routing_of_sst(document, network, name=text, what=what)
    if "classes" in document:
        from .classes_document import routing_of_classes_document

        return routing_of_classes_document(document, network, name=text, what=what)
    paths = paths_on_network(document, network, what=what)
    try:
        return TableRouting(network, text, paths)
    except InputError as error:
        raise InputError(f"{what}: {error}") from None


def _destination_graph(document: Mapping[str, Any], network: Network, *, name: str, what: str) -> Routing:
    from ..formats.destination_graph_document import graph_from_document
    from .destination_graph import DestinationGraphRouting

    return DestinationGraphRouting(network, name, graph_from_document(document, what=what))


def _from_function(name: str, settings: list[str], network: Network) -> Routing:
    found: dict[str, int] = {}
    for key, value in _settings(name, settings):
        if key not in ("states", "samples", "seed"):
            raise InputError(
                f"{name}: unknown option '{short(key)}'; {did_you_mean(key, ['states', 'samples', 'seed'])}"
            )
        if key in found:
            raise InputError(f"{name}: option '{key}' is given twice")
        found[key] = _whole(name, key, value)
    if "samples" in found:
        from .sampled import Sampled

        if "states" in found:
            raise InputError(f"{name}: 'states' is for exact loads, 'samples' for sampled ones; give one of them")
        samples, seed = found["samples"], found.get("seed", 0)
        text = f"{name},samples={samples},seed={seed}"
        return Sampled(load_function(name), samples=samples, seed=seed, name=text).on(network)
    if "seed" in found:
        raise InputError(f"{name}: 'seed' goes with 'samples'; exact loads have no seed")
    from .incremental import Incremental

    function = load_function(name)
    if "states" in found:
        return Incremental(function, name=name, max_states=found["states"]).on(network)
    return Incremental(function, name=name).on(network)


def _from_document(data: Mapping[str, Any], network: Network) -> Routing:
    """A table of paths that a report carries as a routing document."""
    from ..formats.routing_document import paths_on_network
    from .table import TableRouting

    name = data.get("spec")
    if not isinstance(data["document"], Mapping) or not isinstance(name, str):
        raise InputError("'document' of a routing must be an object, and 'spec' a string")
    if name.partition(":")[0].strip() in (*ROUTINGS, "mix"):
        raise InputError(f"a table of paths is called '{short(name)}', the name of a built-in routing")
    return TableRouting(network, name, paths_on_network(data["document"], network, what="the routing's document"))


def routing_from_description(data: Mapping[str, Any], network: Network) -> Routing:
    """The routing that ``Routing.describe`` wrote: by name, as a mixture of descriptions, or with its loads in full.

    ``{"spec": name, "document": a routing document}`` is a table of paths.

    A name here never leads to a file or to a function: what a report says is not run.  Loads in full are not yet
    known to deliver every pair; call ``check``.
    """
    if not isinstance(data, Mapping):
        raise InputError(f"the routing is of type {type(data).__name__}; an object was expected")
    if "classes" in data:
        from .symmetric import read_symmetric

        return read_symmetric(network, data)
    if "path_classes" in data:
        from .path_classes import read_path_classes

        return read_path_classes(network, data)
    if "next_hop" in data:
        from .next_hop_file import read_next_hop

        return read_next_hop(network, data)
    if "document" in data:
        return _from_document(data, network)
    if "loads" in data:
        from .embedded import read_embedded

        return read_embedded(network, data)
    if "destination_graph" in data:
        name = data.get("spec", "destination graph")
        if not isinstance(data["destination_graph"], Mapping) or not isinstance(name, str):
            raise InputError("'destination_graph' of a routing must be an object, and 'spec' a string")
        if name.partition(":")[0].strip() in (*ROUTINGS, "mix"):
            raise InputError(f"a destination graph is called '{short(name)}', the name of a built-in routing")
        return _destination_graph(data["destination_graph"], network, name=name, what="the destination graph")
    if "parts" in data:
        from .mixture import Mixture

        parts = data["parts"]
        if not isinstance(parts, list) or not all(isinstance(x, list) and len(x) == 2 for x in parts):
            raise InputError("'parts' of a routing must be a list of [weight, routing]")
        if any(isinstance(x, Mapping) and "parts" in x for _, x in parts):
            raise InputError("'parts' of a routing cannot have parts themselves")
        described = [(parse_fraction(w, what="a weight"), routing_from_description(x, network)) for w, x in parts]
        name = data.get("spec")
        known = not isinstance(name, str) or name.partition(":")[0].strip() in (*ROUTINGS, "mix")
        return Mixture(described, name=None if known else name)
    spec = data.get("spec")
    if not isinstance(spec, str):
        raise InputError("'spec' of a routing must be a string")
    return _build(spec, network, outside=False)
