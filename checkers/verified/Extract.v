(** The checker as an OCaml program. Numbers become those of Zarith; all else is extracted as it is. *)

Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
From Routeproof Require Import Sums Network Flows Demands Sets Worst Design Loads Symmetry Order Collective AllReduce Phases Checker.

Extraction "checker.ml" check check_about_graph kinds_fit Map.add Map.empty.
