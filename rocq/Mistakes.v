(** * Obstructions, and the fewest mistakes of any hyperplane

    An obstruction is a few rows that no hyperplane has all strictly on their side.  A hyperplane w
    gets a row wrong if w does not settle the row; each row has a cost.  [check_mistakes_sound]
    proves both bounds: one hyperplane's mistakes cost [upper], and the mistakes of any hyperplane
    that is right on the trusted rows cost [lower] at least. *)

From Coq Require Import ZArith List Bool Lia.
From Novikoff Require Import Claim.
Import ListNotations.
Open Scope Z_scope.

(** ** What stands at which number

    A tree of bits, in which a number from 1 is looked up in as many steps as it has bits. *)

Inductive store (A : Type) := Empty | Node (even : store A) (here : option A) (odd : store A).
Arguments Empty {A}.
Arguments Node {A}.

Fixpoint find {A} (i : positive) (m : store A) : option A :=
  match i, m with
  | _, Empty => None
  | xH, Node _ here _ => here
  | xO i, Node even _ _ => find i even
  | xI i, Node _ _ odd => find i odd
  end.

(** The same but for number i: there it has v, or nothing where v is [None]. *)
Fixpoint set {A} (i : positive) (v : option A) (m : store A) : store A :=
  match i, m with
  | xH, Empty => Node Empty v Empty
  | xH, Node even _ odd => Node even v odd
  | xO i, Empty => Node (set i v Empty) None Empty
  | xO i, Node even here odd => Node (set i v even) here odd
  | xI i, Empty => Node Empty None (set i v Empty)
  | xI i, Node even here odd => Node even here (set i v odd)
  end.

Lemma find_empty {A} i : find i (@Empty A) = None.
Proof. destruct i; reflexivity. Qed.

Lemma find_set {A} i (v : option A) : forall m, find i (set i v m) = v.
Proof. induction i; intros [|]; simpl; auto. Qed.

Lemma find_other {A} i (v : option A) : forall j m, j <> i -> find j (set i v m) = find j m.
Proof.
  induction i as [i IH | i IH |]; intros [j | j |] [|even here odd] D; simpl;
    rewrite ?IH, ?find_empty by congruence; auto; congruence.
Qed.

(** ** Obstructions *)

(** The rows by their number, from 1: looking one up takes few steps. *)
Fixpoint table {A : Type} (i : positive) (members : list A) : store A :=
  match members with
  | [] => Empty
  | a :: members => set i (Some a) (table (Pos.succ i) members)
  end.

(** Numbers of rows, each with a multiplier. *)
Definition obstruction := list (positive * Z).

Fixpoint is_ascending (rows : list positive) : bool :=
  match rows with
  | i :: (j :: _) as rest => Pos.ltb i j && is_ascending rest
  | _ => true
  end.

(** The sum of λ_i·z_i, added to [total]; [None] where a row is missing, of another width or an
    equality, or a multiplier not positive. *)
Fixpoint weighted_sum (n : nat) (rows : store row) (o : obstruction) (total : vector)
  : option vector :=
  match o with
  | [] => Some total
  | (i, m) :: o =>
      match find i rows with
      | Some (Row s x) =>
          if Nat.eqb (length x) n && (0 <? m) && match s with Equality => false | _ => true end
          then weighted_sum n rows o (add_multiple (signed s m) x total)
          else None
      | None => None
      end
  end.

Definition check_obstruction (n : nat) (rows : store row) (o : obstruction) : bool :=
  match o, weighted_sum n rows o (repeat 0 n) with
  | _ :: _, Some sum => is_ascending (map fst o) && forallb (Z.eqb 0) sum
  | _, _ => false
  end.

(** w gets row i wrong. *)
Definition is_wrong (rows : store row) (w : vector) (i : positive) : Prop :=
  exists r, find i rows = Some r /\ ~ settles w r.

(** One of the rows is on the wrong side of any hyperplane, or on it. *)
Definition obstructs (rows : store row) (o : list positive) : Prop :=
  forall w, exists i, In i o /\ is_wrong rows w i.

(** If w settled all the rows, the sum of λ_i·(z_i·w) would be positive, but it is 0·w. *)
Lemma weighted_sum_grows n rows w o : forall t sum,
  length t = n -> weighted_sum n rows o t = Some sum ->
  (exists i, In i (map fst o) /\ is_wrong rows w i) \/
  (dot t w <= dot sum w /\ (o <> [] -> dot t w < dot sum w)).
Proof.
  induction o as [|[i m] o IH]; intros t sum L E; simpl in E.
  { injection E as <-; right; split; [lia | congruence]. }
  destruct (find i rows) as [[s x]|] eqn:F; [|discriminate].
  destruct (Nat.eqb _ _ && _ && _) eqn:C; [|discriminate].
  rewrite !andb_true_iff, Nat.eqb_eq, Z.ltb_lt in C; destruct C as [[W P] N].
  apply IH in E as [(j & J & K) | [E _]];
    [left; exists j; simpl; tauto | | rewrite length_add_multiple; exact L].
  rewrite dot_add_multiple in E by congruence.
  destruct (0 <? score w (Row s x)) eqn:S.
  - right; rewrite Z.ltb_lt in S; unfold score in S; simpl in S.
    destruct s; try discriminate; simpl in E; split; intros; nia.
  - left; exists i; split; [left; reflexivity|]; exists (Row s x); split; auto.
    intros [_ G]; rewrite Z.ltb_ge in S; lia.
Qed.

Theorem check_obstruction_sound n rows o :
  check_obstruction n rows o = true -> obstructs rows (map fst o).
Proof.
  unfold check_obstruction; destruct o as [|p o]; [discriminate|].
  destruct (weighted_sum _ _ _ _) as [sum|] eqn:E; [|discriminate]; intros C w.
  apply andb_prop in C as [_ C].
  apply (weighted_sum_grows n rows w) in E as [E | [_ E]]; auto using repeat_length; exfalso.
  rewrite (dot_zeros _ _ C), (dot_zeros _ _ (zeros_are_zero n)) in E.
  assert (0 < 0) by (apply E; discriminate); lia.
Qed.

(** The rows of an obstruction alone show that the data is not separable. *)
Theorem not_separable_if n rows o :
  check_obstruction n (table 1 rows) o = true -> ~ separable n rows.
Proof.
  intros C (w & _ & A); apply check_obstruction_sound in C.
  destruct (C w) as (i & _ & r & F & N); apply N.
  apply (proj1 (Forall_forall _ _) A); clear -F.
  revert F; generalize 1%positive; induction rows as [|a rows IH]; simpl; intros j F.
  { rewrite find_empty in F; discriminate. }
  destruct (Pos.eq_dec i j) as [-> | D].
  { rewrite find_set in F; injection F as ->; auto. }
  rewrite find_other in F by exact D; eauto.
Qed.

(** ** Bounds from below: a tree of packings

    Let M be the rows that a hyperplane gets wrong.  A branch of the tree asks whether row i is in M:
    it is given up, or it is kept.  A leaf has a packing: obstructions, each with a share.  M has a
    row of each obstruction, so if the shares of the obstructions with row i add up to at most its
    cost, for every row that may be in M, the rows of M cost at least the sum of all shares.  Shares
    are counted in units of 1/scale.  Disjoint obstructions are a packing whose shares are equal to
    scale; a fractional packing is a tree that is one leaf. *)

Inductive tree :=
  | Leaf (packing : list (positive * Z))
  | Branch (i : positive) (given_up kept : tree).

(** What each row can still bear, on one path of the tree: [Some c] is free and bears c more, [None]
    is given up and paid for; a row that is kept or trusted is not in the map. *)
Definition capacities := store (option Z).

Definition capacity (cap : capacities) (i : positive) : Z :=
  match find i cap with Some (Some c) => c | _ => 0 end.

Definition is_kept (cap : capacities) (i : positive) : bool :=
  match find i cap with None => true | _ => false end.

Definition is_given_up (cap : capacities) (i : positive) : bool :=
  match find i cap with Some None => true | _ => false end.

(** Take the share from every free row of an obstruction; [None] where a row cannot bear it. *)
Fixpoint load (share : Z) (o : list positive) (cap : capacities) : option capacities :=
  match o with
  | [] => Some cap
  | i :: o =>
      match find i cap with
      | Some (Some c) =>
          if share <=? c then load share o (set i (Some (Some (c - share))) cap) else None
      | Some None => None
      | None => load share o cap
      end
  end.

Fixpoint load_all (packing : list (list positive * Z)) (cap : capacities) (sum : Z) : option Z :=
  match packing with
  | [] => Some sum
  | (o, share) :: packing =>
      match load share o cap with
      | Some cap => load_all packing cap (sum + share)
      | None => None
      end
  end.

Fixpoint lookup (obstructions : store (list positive)) (packing : list (positive * Z))
  : option (list (list positive * Z)) :=
  match packing with
  | [] => Some []
  | (k, share) :: packing =>
      match find k obstructions, lookup obstructions packing with
      | Some o, Some rest => if 0 <? share then Some ((o, share) :: rest) else None
      | _, _ => None
      end
  end.

(** What a tree proves: nothing, for it is malformed; that no hyperplane is possible; or that the
    mistakes of any possible one cost so much. *)
Inductive bound := Malformed | Impossible | AtLeast (cost : Z).

Definition both (a b : bound) : bound :=
  match a, b with
  | Malformed, _ | _, Malformed => Malformed
  | Impossible, other | other, Impossible => other
  | AtLeast a, AtLeast b => AtLeast (Z.min a b)
  end.

(** x/scale, rounded up. *)
Definition units (scale x : Z) : Z := - (- x / scale).

(** The bound of a tree, where the rows given up so far cost [paid]/scale. *)
Fixpoint least (obstructions : store (list positive)) (scale : Z) (t : tree) (cap : capacities)
  (paid : Z) : bound :=
  match t with
  | Branch i given_up kept =>
      match find i cap with
      | Some (Some c) =>
          both (least obstructions scale given_up (set i (Some None) cap) (paid + c))
               (least obstructions scale kept (set i None cap) paid)
      | _ => Malformed
      end
  | Leaf packing =>
      match lookup obstructions packing with
      | None => Malformed
      | Some packing =>
          if existsb (fun p => existsb (is_given_up cap) (fst p)) packing then Malformed
          else if existsb (fun p => forallb (is_kept cap) (fst p)) packing then Impossible
          else match load_all packing cap 0 with
               | Some sum => AtLeast (units scale (paid + sum))
               | None => Malformed
               end
      end
  end.

(** The sum of a quantity over some rows. *)
Fixpoint sum_over (f : positive -> Z) (rows : list positive) : Z :=
  match rows with
  | [] => 0
  | i :: rows => f i + sum_over f rows
  end.

Lemma sum_over_ext f g rows :
  (forall i, In i rows -> f i = g i) -> sum_over f rows = sum_over g rows.
Proof.
  induction rows as [|i rows IH]; intros E; simpl; auto.
  rewrite (E i (or_introl eq_refl)), IH; auto; intros j J; apply E; right; exact J.
Qed.

(** Where f and g differ at i alone, so do their sums, if i is one of the rows, once. *)
Lemma sum_over_change f g i rows :
  NoDup rows -> (forall j, j <> i -> f j = g j) ->
  sum_over f rows = sum_over g rows + (if in_dec Pos.eq_dec i rows then f i - g i else 0).
Proof.
  intros N D; induction N as [|j rows J N IH]; simpl; auto.
  destruct (Pos.eq_dec j i) as [-> | E].
  - rewrite (sum_over_ext f g) by (intros k K; apply D; intros ->; tauto); lia.
  - rewrite (D j E), IH; destruct (in_dec Pos.eq_dec i rows); lia.
Qed.

Section Packing.

(** The rows that some hyperplane gets wrong. *)
Variable wrong : list positive.
Hypothesis once : NoDup wrong.

Definition avoids (cap : capacities) : Prop := forall i, In i wrong -> is_kept cap i = false.

Lemma load_sound share o : 0 < share -> forall cap cap',
  load share o cap = Some cap' ->
  (forall i, is_kept cap' i = is_kept cap i) /\
  sum_over (capacity cap') wrong <= sum_over (capacity cap) wrong /\
  (avoids cap -> (exists i, In i o /\ In i wrong) ->
   sum_over (capacity cap') wrong + share <= sum_over (capacity cap) wrong).
Proof.
  intros P; induction o as [|i o IH]; intros cap cap' E; simpl in E.
  { injection E as <-; repeat split; auto; try lia; intros _ (i & [] & _). }
  destruct (find i cap) as [[c|]|] eqn:F; try discriminate.
  - destruct (Z.leb_spec share c); [|discriminate]; apply IH in E as (K & A & B).
    assert (K' : forall j, is_kept (set i (Some (Some (c - share))) cap) j = is_kept cap j).
    { intros j; unfold is_kept; destruct (Pos.eq_dec j i) as [-> | D].
      - rewrite find_set, F; reflexivity.
      - rewrite find_other by exact D; reflexivity. }
    assert (S : sum_over (capacity (set i (Some (Some (c - share))) cap)) wrong =
                sum_over (capacity cap) wrong - (if in_dec Pos.eq_dec i wrong then share else 0)).
    { rewrite (sum_over_change _ (capacity cap) i) by
        (auto; intros j D; unfold capacity; rewrite find_other by exact D; reflexivity).
      unfold capacity; rewrite find_set, F; destruct (in_dec _ _ _); lia. }
    split; [intros j; rewrite K, K'; reflexivity|].
    split; [destruct (in_dec Pos.eq_dec i wrong); lia|].
    intros V (j & [<- | J] & I).
    + destruct (in_dec Pos.eq_dec i wrong); [lia | tauto].
    + assert (V' : avoids (set i (Some (Some (c - share))) cap)) by
        (intros k Q; rewrite K'; auto).
      specialize (B V' (ex_intro _ j (conj J I))).
      destruct (in_dec Pos.eq_dec i wrong); lia.
  - apply IH in E as (K & A & B); repeat split; auto; intros V (j & [<- | J] & I).
    + apply V in I; unfold is_kept in I; rewrite F in I; discriminate.
    + apply B; eauto.
Qed.

(** Each of these obstructions has a row that is wrong. *)
Definition hit (o : list positive) : Prop := exists i, In i o /\ In i wrong.

Lemma load_nonneg share o : forall cap cap', load share o cap = Some cap' ->
  (forall i, 0 <= capacity cap i) -> forall i, 0 <= capacity cap' i.
Proof.
  induction o as [|i o IH]; intros cap cap' E N; simpl in E; [injection E as <-; auto|].
  destruct (find i cap) as [[c|]|] eqn:F; try discriminate; [|eapply IH; eauto].
  destruct (Z.leb_spec share c); [|discriminate]; eapply IH; [exact E|].
  intros j; unfold capacity; destruct (Pos.eq_dec j i) as [-> | D].
  - rewrite find_set; lia.
  - rewrite find_other by exact D; apply N.
Qed.

Lemma sum_nonneg f rows : (forall i, 0 <= f i) -> 0 <= sum_over f rows.
Proof. intros N; induction rows as [|i rows IH]; simpl; [|specialize (N i)]; lia. Qed.

Lemma load_all_sound packing : forall cap sum found,
  (forall o share, In (o, share) packing -> hit o /\ 0 < share) ->
  (forall i, 0 <= capacity cap i) -> avoids cap ->
  load_all packing cap sum = Some found -> found <= sum + sum_over (capacity cap) wrong.
Proof.
  induction packing as [|[o share] packing IH]; intros cap sum found H N V E; simpl in E.
  { injection E as <-; pose proof (sum_nonneg _ wrong N); lia. }
  destruct (load share o cap) as [cap'|] eqn:L; [|discriminate].
  destruct (H o share (or_introl eq_refl)) as [Ho Hs].
  pose proof (load_nonneg _ _ _ _ L N) as N'; apply (load_sound share o Hs) in L as (K & _ & B).
  apply IH in E; auto; [specialize (B V Ho); lia | |].
  - intros p s I; apply H; right; exact I.
  - intros i I; rewrite K; auto.
Qed.

Lemma lookup_sound obstructions packing : forall found o share,
  lookup obstructions packing = Some found -> In (o, share) found ->
  0 < share /\ exists k, find k obstructions = Some o.
Proof.
  induction packing as [|[k s] packing IH]; intros found o share E I; simpl in E.
  { injection E as <-; destruct I. }
  destruct (find k obstructions) as [p|] eqn:F; [|discriminate].
  destruct (lookup obstructions packing) as [rest|]; [|discriminate].
  destruct (Z.ltb_spec 0 s); [|discriminate]; injection E as <-.
  destruct I as [I | I]; [injection I as <- <-; eauto | eauto].
Qed.

Lemma units_sound scale x cost : 0 < scale -> x <= scale * cost -> units scale x <= cost.
Proof.
  intros P L; unfold units.
  assert (- cost <= - x / scale) by (apply Z.div_le_lower_bound; lia); lia.
Qed.

(** The lower bound: [cost] is what the wrong rows cost. *)
Theorem least_sound obstructions scale cost :
  0 < scale -> (forall k o, find k obstructions = Some o -> hit o) ->
  forall t cap paid, (forall i, 0 <= capacity cap i) -> avoids cap ->
  paid + sum_over (capacity cap) wrong <= scale * cost ->
  match least obstructions scale t cap paid with
  | Malformed => True
  | Impossible => False
  | AtLeast b => b <= cost
  end.
Proof.
  intros P H; induction t as [packing | i t1 IH1 t2 IH2]; intros cap paid N V C; simpl.
  - destruct (lookup obstructions packing) as [found|] eqn:F; auto.
    destruct (existsb _ found); auto.
    assert (G : forall o share, In (o, share) found -> hit o /\ 0 < share).
    { intros o share I; apply (lookup_sound _ _ _ _ _ F) in I as (S & k & K); eauto. }
    destruct (existsb _ found) eqn:X.
    { apply existsb_exists in X as ([o share] & I & A); rewrite forallb_forall in A.
      destruct (proj1 (G o share I)) as (i & J & K); specialize (A i J); rewrite (V i K) in A.
      discriminate. }
    destruct (load_all found cap 0) as [sum|] eqn:L; auto.
    apply load_all_sound in L; auto; apply units_sound; lia.
  - destruct (find i cap) as [[c|]|] eqn:F; auto.
    assert (D : In i wrong \/ ~ In i wrong) by (destruct (in_dec Pos.eq_dec i wrong); auto).
    assert (B1 : In i wrong ->
      match least obstructions scale t1 (set i (Some None) cap) (paid + c) with
      Malformed => True | Impossible => False | AtLeast b => b <= cost end).
    { intros I; apply IH1.
      - intros j; unfold capacity; destruct (Pos.eq_dec j i) as [-> | E];
          [rewrite find_set; lia | rewrite find_other by exact E; apply N].
      - intros j J; unfold is_kept; destruct (Pos.eq_dec j i) as [-> | E];
          [rewrite find_set; reflexivity | rewrite find_other by exact E; apply V; exact J].
      - rewrite (sum_over_change _ (capacity cap) i) by
          (auto; intros j E; unfold capacity; rewrite find_other by exact E; reflexivity).
        unfold capacity at 2 3; rewrite find_set, F; destruct (in_dec _ _ _); [lia | tauto]. }
    assert (B2 : ~ In i wrong -> match least obstructions scale t2 (set i None cap) paid with
      Malformed => True | Impossible => False | AtLeast b => b <= cost end).
    { intros I; apply IH2.
      - intros j; unfold capacity; destruct (Pos.eq_dec j i) as [-> | E];
          [rewrite find_set; lia | rewrite find_other by exact E; apply N].
      - intros j J; unfold is_kept; rewrite find_other by (intros ->; tauto); apply V; exact J.
      - rewrite (sum_over_change _ (capacity cap) i) by
          (auto; intros j E; unfold capacity; rewrite find_other by exact E; reflexivity).
        destruct (in_dec _ _ _); [tauto | lia]. }
    destruct (least _ _ t1 _ _), (least _ _ t2 _ _); simpl; auto; destruct D as [D | D];
      try specialize (B1 D); try specialize (B2 D); try tauto; lia.
Qed.

End Packing.

(** ** Both bounds *)

Record mistakes := Mistakes {
  costs : list Z;                     (* one for each row, in units *)
  trusted : list positive;            (* rows that must not be given up *)
  obstructions : list obstruction;
  scale : Z;
  proof : tree;
  hyperplane : option vector;         (* none where trusted rows allow none *)
  listed : list positive;             (* the rows that the hyperplane gets wrong *)
  lower : option Z;
  upper : option Z }.

(** The rows that w gets wrong, by their number, of rows from the i-th on. *)
Fixpoint wrong_rows (w : vector) (i : positive) (rows : list row) : list positive :=
  match rows with
  | [] => []
  | r :: rows =>
      if is_settled w r then wrong_rows w (Pos.succ i) rows
      else i :: wrong_rows w (Pos.succ i) rows
  end.

(** w is right on row i. *)
Definition is_right (rows : store row) (w : vector) (i : positive) : Prop :=
  exists r, find i rows = Some r /\ settles w r.

(** What the mistakes of w cost, of rows from the i-th on. *)
Fixpoint cost_of (w : vector) (rows : list row) (costs : list Z) : Z :=
  match rows, costs with
  | r :: rows, c :: costs => (if is_settled w r then 0 else c) + cost_of w rows costs
  | _, _ => 0
  end.

Definition mistakes_hold (n : nat) (rows : list row) (m : mistakes) : Prop :=
  let fits w := length w = n /\ Forall (is_right (table 1 rows) w) (trusted m) in
  match hyperplane m, lower m, upper m with
  | Some w, Some least, Some most =>
      fits w /\ wrong_rows w 1 rows = listed m /\ cost_of w rows (costs m) = most /\
      forall v, fits v -> least <= cost_of v rows (costs m)
  | None, None, None => forall v, ~ fits v
  | _, _, _ => False
  end.

Definition is_right_on (rows : store row) (w : vector) (i : positive) : bool :=
  match find i rows with Some r => is_settled w r | None => false end.

(** At first every row bears its cost times the scale; trusted rows are kept. *)
Definition whole (m : mistakes) : capacities :=
  fold_left (fun cap i => set i None cap) (trusted m)
            (table 1 (map (fun c => Some (scale m * c)) (costs m))).

Definition check_mistakes (n : nat) (rows : list row) (m : mistakes) : bool :=
  let by_number := table 1 rows in
  Nat.eqb (length rows) (length (costs m)) && forallb (Z.leb 0) (costs m) && (0 <? scale m) &&
  forallb (check_obstruction n by_number) (obstructions m) &&
  let rows_of := table 1 (map (map fst) (obstructions m)) in
  match hyperplane m, lower m, upper m, least rows_of (scale m) (proof m) (whole m) 0 with
  | Some w, Some least, Some most, AtLeast b =>
      Nat.eqb (length w) n && forallb (is_right_on by_number w) (trusted m) &&
      (if list_eq_dec Pos.eq_dec (wrong_rows w 1 rows) (listed m) then true else false) &&
      (cost_of w rows (costs m) =? most) && (b =? least)
  | None, None, None, Impossible => true
  | _, _, _, _ => false
  end.

Lemma table_before {A} (l : list A) : forall i j, (j < i)%positive -> find j (table i l) = None.
Proof.
  induction l as [|a l IH]; intros i j L; simpl; [apply find_empty|].
  rewrite find_other by lia; apply IH; lia.
Qed.

Lemma wrong_rows_spec w rows : forall i j, In j (wrong_rows w i rows) <->
  exists r, find j (table i rows) = Some r /\ is_settled w r = false.
Proof.
  induction rows as [|r rows IH]; intros i j; simpl.
  { rewrite find_empty; split; [intros [] | intros (? & ? & _); discriminate]. }
  destruct (Pos.eq_dec j i) as [-> | D].
  - rewrite find_set; assert (N : ~ In i (wrong_rows w (Pos.succ i) rows)).
    { rewrite IH; intros (q & F & _); rewrite table_before in F by lia; discriminate. }
    destruct (is_settled w r) eqn:S; simpl; split.
    + tauto.
    + intros (q & E & F); injection E as <-; congruence.
    + eauto.
    + auto.
  - rewrite find_other by exact D; rewrite <- IH.
    destruct (is_settled w r); simpl; intuition congruence.
Qed.

Lemma wrong_rows_once w rows : forall i, NoDup (wrong_rows w i rows).
Proof.
  induction rows as [|r rows IH]; intros i; simpl; [constructor|].
  destruct (is_settled w r); [apply IH | constructor; [|apply IH]].
  rewrite wrong_rows_spec; intros (q & F & _); rewrite table_before in F by lia; discriminate.
Qed.

Lemma cost_of_sum scale w rows : forall costs i, length rows = length costs ->
  sum_over (capacity (table i (map (fun c => Some (scale * c)) costs))) (wrong_rows w i rows) =
  scale * cost_of w rows costs.
Proof.
  induction rows as [|r rows IH]; intros [|c costs] i E; simpl in *; try lia.
  injection E as E; rewrite Z.mul_add_distr_l, <- (IH costs (Pos.succ i) E).
  assert (S : forall later, sum_over (capacity (set i (Some (Some (scale * c))) later))
    (wrong_rows w (Pos.succ i) rows) = sum_over (capacity later) (wrong_rows w (Pos.succ i) rows)).
  { intros later; apply sum_over_ext; intros j J; unfold capacity.
    rewrite find_other; auto; intros ->.
    rewrite wrong_rows_spec in J; destruct J as (q & F & _).
    rewrite table_before in F by lia; discriminate. }
  destruct (is_settled w r); simpl; rewrite S; [lia|].
  unfold capacity at 1; rewrite find_set; lia.
Qed.

Lemma remove_all_find i rows : forall cap : capacities,
  find i (fold_left (fun cap i => set i None cap) rows cap) =
  if in_dec Pos.eq_dec i rows then None else find i cap.
Proof.
  induction rows as [|j rows IH]; intros cap; simpl; auto; rewrite IH.
  destruct (Pos.eq_dec j i) as [-> | D].
  - rewrite find_set; destruct (in_dec _ _ _); reflexivity.
  - rewrite find_other by congruence; destruct (in_dec _ _ _); reflexivity.
Qed.

Lemma table_same_places {A B} (l : list A) (k : list B) : length l = length k -> forall i j a,
  find j (table i l) = Some a -> exists b, find j (table i k) = Some b /\ In b k.
Proof.
  revert k; induction l as [|x l IH]; intros [|y k] E i j a F; simpl in *; try discriminate.
  { rewrite find_empty in F; discriminate. }
  destruct (Pos.eq_dec j i) as [-> | D]; [rewrite find_set; eauto|].
  rewrite find_other in F by exact D; rewrite find_other by exact D; injection E as E.
  destruct (IH k E _ _ _ F) as (b & ? & ?); eauto.
Qed.

Lemma table_in {A} (l : list A) : forall i j a, find j (table i l) = Some a -> In a l.
Proof.
  intros i j a F; destruct (table_same_places l l eq_refl i j a F) as (b & G & I).
  rewrite F in G; injection G as ->; exact I.
Qed.

(** The theorem: both bounds are what the check accepts. *)
Theorem check_mistakes_sound n rows m : check_mistakes n rows m = true -> mistakes_hold n rows m.
Proof.
  unfold check_mistakes, mistakes_hold; intros E; rewrite !andb_true_iff in E.
  destruct E as [[[[L C] P] O] E]; apply Nat.eqb_eq in L; apply Z.ltb_lt in P.
  rewrite forallb_forall in C, O.
  set (by_number := table 1 rows) in *.
  set (rows_of := table 1 (map (map fst) (obstructions m))) in *.
  assert (B : forall v, Forall (is_right by_number v) (trusted m) ->
    match least rows_of (scale m) (proof m) (whole m) 0 with
    | Malformed => True | Impossible => False | AtLeast b => b <= cost_of v rows (costs m) end).
  { intros v T; set (wrong := wrong_rows v 1 rows).
    assert (U : forall i, In i wrong -> ~ In i (trusted m)).
    { intros i I J; apply wrong_rows_spec in I as (r & F & N).
      destruct (proj1 (Forall_forall _ _) T i J) as (q & G & S).
      apply settles_is_settled in S; unfold by_number in G; congruence. }
    apply (least_sound wrong (wrong_rows_once v rows 1)); auto.
    - intros k o F; unfold rows_of in F; apply table_in, in_map_iff in F as (p & <- & I).
      destruct (check_obstruction_sound _ _ _ (O p I) v) as (i & J & r & F & N).
      exists i; split; auto; apply wrong_rows_spec; exists r; split; auto.
      destruct (is_settled v r) eqn:S; auto; apply settles_is_settled in S; tauto.
    - intros i; unfold capacity, whole; rewrite remove_all_find.
      destruct (in_dec _ _ _); [lia|].
      destruct (find i _) as [[c|]|] eqn:F; try lia; apply table_in, in_map_iff in F.
      destruct F as (q & F & I); injection F as <-; specialize (C q I); apply Z.leb_le in C; nia.
    - intros i I; unfold is_kept, whole; rewrite remove_all_find.
      destruct (in_dec Pos.eq_dec i (trusted m)) as [J | J]; [exfalso; apply (U i I J)|].
      apply wrong_rows_spec in I as (r & F & _).
      assert (S : length rows = length (map (fun c => Some (scale m * c)) (costs m))) by
        (rewrite map_length; exact L).
      destruct (table_same_places _ _ S _ _ _ F) as (b & -> & _); reflexivity.
    - rewrite <- (cost_of_sum (scale m) v rows (costs m) 1 L); simpl.
      apply Z.eq_le_incl, sum_over_ext; intros i I; unfold capacity, whole.
      rewrite remove_all_find; destruct (in_dec Pos.eq_dec i (trusted m)) as [J | J]; auto.
      exfalso; apply (U i I J). }
  destruct (hyperplane m) as [w|], (lower m) as [b|], (upper m) as [u|],
    (least rows_of (scale m) (proof m) (whole m) 0) as [| |b'] eqn:R; try discriminate.
  - rewrite !andb_true_iff, Nat.eqb_eq, !Z.eqb_eq, forallb_forall in E.
    destruct E as [[[[W T] Q] <-] <-]; destruct (list_eq_dec _ _ _) as [X|]; try discriminate.
    repeat split; auto.
    + apply Forall_forall; intros i I; specialize (T i I); unfold is_right_on in T.
      destruct (find i by_number) as [r|] eqn:F; [|discriminate].
      exists r; split; auto; apply settles_is_settled; exact T.
    + intros v [_ T']; apply (B v T').
  - intros v [_ T]; apply (B v T).
Qed.
