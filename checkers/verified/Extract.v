(** The checker as an OCaml program. Numbers become those of Zarith, strings lists of characters; all else is extracted
    as it is. *)

Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt ExtrOcamlString.
From Routeproof Require Import Sums Network Flows Demands Sets Worst Design Loads Symmetry Order Lanes Collective AllReduce Phases Checker
  Grids Named GridRoutings Called Sentences CalledSets Said GraphSaid Json.

Extraction "checker.ml" program said_by source_of sentence all_claims printed_of_graph graph_words kinds_fit rate_of name_of_grid parse Map.add Map.empty.
