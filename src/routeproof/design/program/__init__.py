"""Linear programs of routing, reduced by symmetry; solvers asked; solutions made exact."""
