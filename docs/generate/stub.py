"""``__init__.pyi``, what type checkers read, from the list of public names in ``__init__.py`` and the questions that
have a function; run it to write it."""

from __future__ import annotations

from pathlib import Path

import routeproof
from routeproof.api.results import RESULTS
from routeproof.questions.question import verbs

STUB = Path(routeproof.__file__).with_suffix(".pyi")
_FIRST = '"""Every public name and its home, for type checkers: made by docs/generate/stub.py."""'


def stub_text() -> str:
    """The text of the stub."""
    questions = [x for x in verbs() if vars(x).get("function")]
    homes = {name: (home, name) for name, home in routeproof._HOMES.items()}
    homes |= {x.__name__: (x.__module__.removeprefix("routeproof"), f"_{x.__name__}") for x in questions}
    homes["function_of"] = (".api.functions", "_function_of")
    names = sorted(homes.items(), key=lambda x: (x[1][0], not x[0].isupper(), x[0][0].islower(), x[0]))
    lines = [f"from {home} import {name} as {alias}" for name, (home, alias) in names]
    made = []
    for x in questions:
        result = getattr(RESULTS.get(x.function), "__name__", "Result")
        made.append(f"{x.function} = _function_of(_{x.__name__}, {'list[Claim]' if result == 'list' else result})")
    return "\n".join([_FIRST, "", *lines, "", *sorted(made), "", "__version__: str", "__all__: list[str]", ""])


if __name__ == "__main__":
    STUB.write_text(stub_text(), encoding="utf-8")
