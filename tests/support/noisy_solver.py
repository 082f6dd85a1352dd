"""A HiGHS that prints on descriptor 1 at every occasion: when it is imported, constructed, given a program and run, by
itself, by C's buffered stream and from a thread; for processes in whose path ``noisy_solver(folder)`` stands first."""

from __future__ import annotations

from pathlib import Path

__all__ = ["noisy_solver"]

_NOISY = """
import ctypes, importlib.machinery, importlib.util, os, sys, threading

def tell(text):
    os.write(1, text.encode() + b"\\n")
    ctypes.CDLL(None).printf(text.encode() + b", buffered\\n")
    thread = threading.Thread(target=os.write, args=(1, text.encode() + b", in a thread\\n"))
    thread.start()
    thread.join()

tell("imported")
elsewhere = [x for x in sys.path if os.path.abspath(x) != os.path.dirname(os.path.abspath(__file__))]
spec = importlib.machinery.PathFinder.find_spec("highspy", elsewhere)
real = sys.modules["highspy"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(real)

class Highs(real.Highs):
    def __init__(self):
        tell("constructed")
        super().__init__()

    def passModel(self, *arguments):
        tell("given a program")
        return super().passModel(*arguments)

    def run(self):
        tell("run")
        open(os.environ["NOISE"], "w").close()
        return super().run()

real.Highs = Highs
"""


def noisy_solver(folder: Path) -> dict[str, str]:
    """Variables of the environment of such a process; the solver makes the file ``folder / "ran"`` when it runs."""
    (folder / "highspy.py").write_text(_NOISY)
    return {"PYTHONPATH": str(folder), "NOISE": str(folder / "ran")}
