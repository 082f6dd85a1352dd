(** The checker as an OCaml program. Numbers become those of Zarith, strings lists of characters; all else is extracted
    as it is, but for two things that the library makes slow: what is below the lowest bit of a positive number, and
    whether two are equal. *)

Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt ExtrOcamlString PArith.
From Routeproof Require Import Sums Network Flows Demands Sets Worst Design Loads Symmetry Order Collective AllReduce Phases Checker
  Grids Named GridRoutings Called Sentences Said GraphSaid Json.

Extract Inductive positive => "Big_int_Z.big_int"
  [ "(fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))" "Big_int_Z.mult_int_big_int 2" "Big_int_Z.unit_big_int" ]
  "(fun f2p1 f2p f1 p -> if Big_int_Z.eq_big_int p Big_int_Z.unit_big_int then f1 () else
  let q = Big_int_Z.shift_right_big_int p 1 in if Big_int_Z.eq_big_int (Big_int_Z.add_big_int q q) p then f2p q else f2p1 q)".
Extract Constant Pos.eqb => "Big_int_Z.eq_big_int".

Extraction "checker.ml" program said_by source_of sentence all_claims printed_of_graph graph_words kinds_fit name_of_grid parse Map.add Map.empty.
