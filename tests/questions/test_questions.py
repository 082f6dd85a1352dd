"""Declarations of verbs: what the command and the function make of one question, and what errors say."""

from __future__ import annotations

from routeproof.questions.deadlock import Deadlock
from routeproof.questions.design.design import Design
from routeproof.questions.failures.every_failure import Failures
from routeproof.questions.question import UNSET, docstring_of, help_of, in_python, options_of
from routeproof.routing.grid.dor import DOR
from routeproof.topologies.family import network_from_spec


def test_options_come_in_the_order_of_help() -> None:
    found = {x.name: x for x in options_of(Deadlock)}
    some = ["topology", "routing", "service_levels", "sl2vl", "virtual_channels", "assignment"]
    assert list(found) == [*some, "classes", "flow_control", "escape", "time_limit", "output", "json"]
    assert found["topology"].command_default is UNSET  # required
    assert found["routing"].command_default is None  # a dump may bring its own
    assert found["virtual_channels"].kind is bool
    assert "workers" not in {x.name for x in options_of(Failures)}  # Python's alone


def test_help_ends_with_the_example_and_the_docstring_leaves_it_out() -> None:
    assert help_of(Deadlock).endswith("routeproof deadlock torus:5x5 --routing dor --virtual-channels")
    text = docstring_of(Deadlock)
    assert "For example" not in text
    assert ">>> deadlock(DOR().on(mesh(3, 3))).free" in text
    assert "sl2vl" not in text  # the command's alone


def test_options_become_parameters() -> None:
    assert in_python(Failures, "--repair split mends it") == 'repair="split" mends it'
    assert in_python(Failures, "--until-width: at most --samples") == "until_width: at most samples"
    assert in_python(Design, "--then path-length and --path-length X") == "shortest=True and path_length=X"
    assert in_python(Failures, "--links 3 and --seed S") == "links=3 and seed=S"
    assert in_python(Deadlock, "--service-levels and --html") == "levels and --html"
    assert in_python(Failures, "ask: routeproof failures --repair x") == "ask: routeproof failures --repair x"


def test_a_question_answers_without_a_setting() -> None:
    """Failures need an engine, and make one where none is given."""
    found = Failures(DOR().on(network_from_spec("ring:4"))).answer()
    assert found.rest == "all 4 links, one at a time, 1 up to symmetry"
