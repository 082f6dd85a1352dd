"""Trials on multistage networks, drawn and run again. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, refusal, without

FORGERIES: list[Forgery] = [
    ("trials", at(c0_value__best=0.5), "its best is 0.5; the trials give 0.7777777777777778"),
    ("trials", at(s_epsilon="3"), "its epsilon or threshold is outside its range"),
    ("trials", at(s_rho="2"), "subject: rho is 2, which its trials do not use"),
    ("trials", at(s_permutation=["shuffle"]), "subject: faults spread without any permutation"),
    ("trials", at(c0_value__trials=8), "its claims are not intervals of the same trials"),
    ("trials", without("c0"), "its claims are not surviving_inputs_fraction, surviving_outputs_fraction, each once"),
    ("trials", at(s_faults="random:count=3,seed=1"), "all trials would be the same, {trial} stands nowhere in it"),
    ("trials", at(c0_evidence__method="Clopper-Pearson"), "its method is 'Clopper-Pearson'; betting was expected"),
]


@honest("trials")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
