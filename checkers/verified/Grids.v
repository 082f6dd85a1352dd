(** Networks that names stand for: what tori, meshes, hypercubes and the like are, and the test that a network is one. *)

Require Import List Bool NArith PArith QArith String.
From Routeproof Require Import Maps Network Words.
Import ListNotations.
Local Open Scope N_scope.

Inductive grid :=
  | Ring (k : N) | Torus (l : list N) | Hypercube (n : N) | Mesh (l : list N) | Complete (k : N) | HyperX (l : list N).

(** A node has one coordinate below each of these. *)
Definition radices (g : grid) : list N :=
  match g with
  | Ring k | Complete k => [k]
  | Torus l | Mesh l | HyperX l => l
  | Hypercube n => repeat 2 (N.to_nat n)
  end.

Definition below (k : N) : list N := map N.of_nat (seq 0 (N.to_nat k)).

(** Where channels lead along one dimension of k coordinates, from y, in their order. *)
Definition along (g : grid) (k y : N) : list N :=
  match g with
  | Ring _ | Torus _ | Hypercube _ => if k =? 2 then [1 - y] else [(y + 1) mod k; (y + (k - 1)) mod k]
  | Mesh _ => (if y + 1 <? k then [y + 1] else []) ++ (if 0 <? y then [y - 1] else [])
  | Complete _ | HyperX _ => map (fun n => (y + (n + 1)) mod k) (below (k - 1))
  end.

(** All nodes, in the order of their numbers: the last coordinate counts fastest. *)
Fixpoint nodes (l : list N) : list (list N) :=
  match l with [] => [[]] | k :: l => flat_map (fun y => map (cons y) (nodes l)) (below k) end.

Fixpoint number_from (n : N) (l x : list N) : positive :=
  match l, x with k :: l, y :: x => number_from (n * k + y) l x | _, _ => N.succ_pos n end.

(** The number of a node; from 1, as everywhere here. *)
Definition node_number (g : grid) (x : list N) : positive := number_from 0 (radices g) x.

(** Along each dimension in turn. *)
Fixpoint neighbours (g : grid) (l x : list N) : list (list N) :=
  match l, x with
  | k :: l, y :: x => map (fun z => z :: x) (along g k y) ++ map (cons y) (neighbours g l x)
  | _, _ => []
  end.

Definition arcs (g : grid) : list (positive * positive) :=
  flat_map (fun x => map (fun z => (node_number g x, node_number g z)) (neighbours g (radices g) x)) (nodes (radices g)).

(** One terminal at each node; these channels, in this order, of bandwidth 1. *)
Definition is_grid (g : grid) (net : network) : Prop :=
  map (fun t => (source t, sink t)) (terminals net) = map (fun x => (node_number g x, node_number g x)) (nodes (radices g)) /\
  map (fun c => (tail c, head c)) (channels net) = arcs g /\
  forall c, In c (channels net) -> (bandwidth c == 1)%Q.

Definition times_signs (l : list N) : string :=
  match l with [] => ""%string | k :: l => fold_left (fun s k => s ++ "x" ++ decimal k)%string l (decimal k) end.

Definition grid_name (g : grid) : string :=
  match g with
  | Ring k => "ring:" ++ decimal k
  | Torus l => "torus:" ++ times_signs l
  | Hypercube n => "hypercube:" ++ decimal n
  | Mesh l => "mesh:" ++ times_signs l
  | Complete k => "complete:" ++ decimal k
  | HyperX l => "hyperx:" ++ times_signs l
  end%string.

(** * The test *)

Fixpoint same_pairs (l m : list (positive * positive)) : bool :=
  match l, m with
  | [], [] => true
  | (a, b) :: l, (c, d) :: m => if Key.eqb a c && Key.eqb b d then same_pairs l m else false
  | _, _ => false
  end.

Lemma same_pairs_correct l : forall m, same_pairs l m = true -> l = m.
Proof.
  induction l as [|[a b] l IH]; intros [|[c d] m] H; try discriminate; [reflexivity|]. simpl in H.
  destruct (Key.eqb_spec a c) as [->|]; [|discriminate]. destruct (Key.eqb_spec b d) as [->|]; [|discriminate].
  rewrite (IH m H). reflexivity.
Qed.

(** What a network is called that is this grid. *)
Definition name_of_grid (g : grid) (net : network) : option string :=
  if same_pairs (map (fun t => (source t, sink t)) (terminals net)) (map (fun x => (node_number g x, node_number g x)) (nodes (radices g))) &&
     same_pairs (map (fun c => (tail c, head c)) (channels net)) (arcs g) &&
     forallb (fun c => Qeq_bool (bandwidth c) 1) (channels net)
  then Some (grid_name g) else None.

(** A name that stands without quotation marks is true. *)
Theorem named_is_true g net w : name_of_grid g net = Some w -> w = grid_name g /\ is_grid g net.
Proof.
  unfold name_of_grid. intros H. destruct (_ && _ && _) eqn:T; [|discriminate]. injection H as <-. split; [reflexivity|].
  apply andb_prop in T. destruct T as [T B]. apply andb_prop in T. destruct T as [E C].
  split; [apply same_pairs_correct; exact E|]. split; [apply same_pairs_correct; exact C|].
  rewrite forallb_forall in B. intros c I. apply Qeq_bool_iff. auto.
Qed.

(** For example: the ring of three, and the square. *)
Example ring_of_three : arcs (Ring 3) = [(1, 2); (1, 3); (2, 3); (2, 1); (3, 1); (3, 2)]%positive.
Proof. reflexivity. Qed.

Example square : arcs (Mesh [2; 2]) = [(1, 3); (1, 2); (2, 4); (2, 1); (3, 1); (3, 4); (4, 2); (4, 3)]%positive.
Proof. reflexivity. Qed.
