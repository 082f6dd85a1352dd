"""Where the command ``routeproof`` begins: it listens for Ctrl-C before it loads anything that takes time."""

from __future__ import annotations

import gc
import os
import sys

from ..machine.interrupts import INTERRUPTED, end_process, watch_process
from ..machine.silence import keep_for_results, with_own_output

TYPE_CHECKING = False  # typing itself takes 10 ms, in which Ctrl-C would be a traceback
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with ``arguments`` (default: the process's own) and return its exit status.

    With the process's own it seldom returns, but ends the process.
    """
    watch = None
    given = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        gc.set_threshold(5000, 10, 100)  # nearly all that imports make stays: to look for garbage there took a tenth
        keep_for_results()
        watch = watch_process()
        given = with_own_output(given)
    if not given and "_ROUTEPROOF_COMPLETE" not in os.environ:  # by which shells ask for completions
        from .frame.screen import show
        from .frame.welcome import welcome

        show(*welcome())
        return 0
    from .app import app
    from .frame.shield import run_command

    status = run_command(app, given, watch)
    if watch is not None and status == INTERRUPTED:
        watch.leave(shown=True)  # threads may still be busy
    if watch is not None:
        end_process(status)
    return status


if __name__ == "__main__":
    sys.exit(main())
