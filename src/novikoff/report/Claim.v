(** * The claim of a novikoff proof, its check, and why the check is sound

    Every verdict of novikoff is one claim about rows of numbers: which rows a hyperplane can have
    strictly on their side, and that no hyperplane has more.  Here rows, claim and check are defined
    over the integers [Z], and [check_sound] proves: where the check says [true], the claim is true.

    How to read this file.  [Definition] gives a name to a value or to a statement ([Prop]), and
    [Fixpoint] to a function that calls itself on a shorter list.  A [Theorem] is a statement with
    a proof that the kernel of Rocq has checked line by line.  [Forall P l]: each member of the list
    l has the property P; [Exists P l]: one of them has; [In r l]: r is a member. *)

From Coq Require Import ZArith List Bool Lia.
Import ListNotations.
Open Scope Z_scope.

(** ** Rows and directions *)

Definition vector := list Z.

(** The product a·b, the sum of a_j·b_j.  Where one list is longer, the rest of it is cut off; so
    lengths are compared wherever it matters. *)
Fixpoint dot (a b : vector) : Z :=
  match a, b with
  | x :: a, y :: b => x * y + dot a b
  | _, _ => 0
  end.

(** A row has a class and numbers; with an offset, the last number is that of the constant 1.  A
    row of the class [Equality] is no observation but a condition: a direction must be zero on it.
    Some regressions have such rows; data of two classes has none. *)
Inductive class := Positive | Negative | Equality.
Record row := Row { side : class; numbers : vector }.

(** z·w, where z is the row times the sign of its class. *)
Definition score (w : vector) (r : row) : Z :=
  match side r with
  | Negative => - dot (numbers r) w
  | _ => dot (numbers r) w
  end.

(** w settles a row that is strictly on its side of the hyperplane of w. *)
Definition settles (w : vector) (r : row) : Prop := side r <> Equality /\ 0 < score w r.

(** w respects a row that is on its side or on the hyperplane, and an equality on which w is 0. *)
Definition respects (w : vector) (r : row) : Prop :=
  match side r with
  | Equality => score w r = 0
  | _ => 0 <= score w r
  end.

(** All rows have n numbers, so no product cuts a row. *)
Definition rows_of_width (n : nat) (rows : list row) : Prop :=
  Forall (fun r => length (numbers r) = n) rows.

(** w is a direction that no row opposes. *)
Definition unopposed (n : nat) (rows : list row) (w : vector) : Prop :=
  length w = n /\ Forall (respects w) rows.

(** ** What is claimed *)

(** A hyperplane has every row strictly on its side. *)
Definition separable (n : nat) (rows : list row) : Prop :=
  exists w, length w = n /\ Forall (settles w) rows.

(** Whatever hyperplane has no row on the wrong side has all rows on it: there is no separating
    hyperplane, not even a weak one.  Of a regression's rows: the estimate is finite. *)
Definition overlapping (n : nat) (rows : list row) : Prop :=
  forall w, unopposed n rows w -> Forall (fun r => score w r = 0) rows.

(** Some hyperplane has no row on the wrong side and a row strictly on its side.  Of a regression's
    rows: the estimate is infinite. *)
Definition weakly_separable (n : nat) (rows : list row) : Prop :=
  exists w, unopposed n rows w /\ Exists (settles w) rows.

(** Such a hyperplane exists, but none has all rows strictly on their side. *)
Definition quasi_separable (n : nat) (rows : list row) : Prop :=
  weakly_separable n rows /\ ~ separable n rows.

(** w opposes no row, and no direction that opposes none settles a row that w does not settle. *)
Definition settles_most (n : nat) (rows : list row) (w : vector) : Prop :=
  unopposed n rows w /\
  forall v, unopposed n rows v -> forall r, In r rows -> settles v r -> settles w r.

Definition is_settled (w : vector) (r : row) : bool :=
  match side r with Equality => false | _ => 0 <? score w r end.

(** In the core: of one of the two classes, and on the hyperplane of w. *)
Definition is_core (w : vector) (r : row) : bool :=
  match side r with Equality => false | _ => score w r =? 0 end.

Definition count (test : row -> bool) (rows : list row) : Z := Z.of_nat (length (filter test rows)).

(** A claim with what proves it.  Rows are numbered from 1.  [named] gives some rows a multiplier,
    in the order of the rows; every other row of the core has the multiplier [one], every other
    equality 0.  (A proof file numbers rows from 0, and calls [one] the denominator.) *)
Record claim := Claim {
  weights : vector;
  settled : Z;
  core : Z;
  one : Z;
  named : list (positive * Z) }.

Definition holds (n : nat) (rows : list row) (c : claim) : Prop :=
  rows_of_width n rows /\
  settles_most n rows (weights c) /\
  count (is_settled (weights c)) rows = settled c /\
  count (is_core (weights c)) rows = core c.

(** ** The check *)

(** total + m·x, number by number. *)
Fixpoint add_multiple (m : Z) (x total : vector) : vector :=
  match x, total with
  | a :: x, t :: total => m * a + t :: add_multiple m x total
  | _, _ => total
  end.

(** The multiplier of row i, if it has one of its own, and those of the rows after it. *)
Definition take (i : positive) (named : list (positive * Z)) : option Z * list (positive * Z) :=
  match named with
  | (j, m) :: rest => if Pos.eqb i j then (Some m, rest) else (None, named)
  | [] => (None, [])
  end.

Definition signed (s : class) (m : Z) : Z := match s with Negative => - m | _ => m end.

(** What is known after some rows: how many are settled, how many are the core; the sum of the core's
    rows without a multiplier of their own, and the weighted sum of the others and the equalities;
    and the multipliers that are left. *)
Record seen := Seen {
  settled_seen : Z;
  core_seen : Z;
  plain : vector;
  weighted : vector;
  left : list (positive * Z) }.

(** One row, the i-th; [None] where the claim fails on it. *)
Definition see (n : nat) (c : claim) (i : positive) (r : row) (k : seen) : option seen :=
  let (m, rest) := take i (left k) in
  let s := score (weights c) r in
  let x := numbers r in
  if negb (Nat.eqb (length x) n) then None else
  match side r, m with
  | Equality, _ =>
      let sum := match m with Some m => add_multiple m x (weighted k) | None => weighted k end in
      if s =? 0 then Some (Seen (settled_seen k) (core_seen k) (plain k) sum rest) else None
  | class, None =>
      if 0 <? s then Some (Seen (settled_seen k + 1) (core_seen k) (plain k) (weighted k) rest)
      else if s =? 0 then
        let sum := add_multiple (signed class 1) x (plain k) in
        Some (Seen (settled_seen k) (core_seen k + 1) sum (weighted k) rest)
      else None
  | class, Some m =>
      if (s =? 0) && (0 <? m) then
        let sum := add_multiple (signed class m) x (weighted k) in
        Some (Seen (settled_seen k) (core_seen k + 1) (plain k) sum rest)
      else None
  end.

Fixpoint see_all (n : nat) (c : claim) (i : positive) (rows : list row) (k : seen) : option seen :=
  match rows with
  | [] => Some k
  | r :: rows =>
      match see n c i r k with
      | Some k => see_all n c (Pos.succ i) rows k
      | None => None
      end
  end.

(** The whole check: each row is seen, all multipliers are used, the counts are those claimed, and
    the weighted sum of all is zero in every column. *)
Definition check (n : nat) (rows : list row) (c : claim) : bool :=
  Nat.eqb (length (weights c)) n && (0 <? one c) &&
  match see_all n c 1 rows (Seen 0 0 (repeat 0 n) (repeat 0 n) (named c)) with
  | Some (Seen s k plain weighted []) =>
      (s =? settled c) && (k =? core c) &&
      forallb (Z.eqb 0) (add_multiple (one c) plain weighted)
  | _ => false
  end.

(** ** Why it is sound

    Let a direction v be opposed by no row.  Each row of the core adds λ·(z·v) >= 0 to the product of
    the weighted sum with v, and more than 0 if v settles that row; equalities add 0.  In the end the
    sum is zero, so its product with v is: v settles no row of the core. *)

Lemma dot_add_multiple m x t v :
  length x = length t -> dot (add_multiple m x t) v = m * dot x v + dot t v.
Proof.
  revert t v; induction x as [|a x IH]; intros [|b t] [|y v] E; simpl in *; try lia.
  injection E as E; rewrite (IH t v E); lia.
Qed.

Lemma length_add_multiple m x t : length (add_multiple m x t) = length t.
Proof. revert t; induction x; intros [|b t]; simpl; congruence. Qed.

Lemma dot_zeros t v : forallb (Z.eqb 0) t = true -> dot t v = 0.
Proof.
  revert v; induction t as [|a t IH]; intros [|y v] E; simpl in *; auto.
  destruct a; try discriminate; rewrite (IH v E); lia.
Qed.

Lemma zeros_are_zero n : forallb (Z.eqb 0) (repeat 0 n) = true.
Proof. induction n; auto. Qed.

(** The product of the weighted sum with v. *)
Definition balance (c : claim) (k : seen) (v : vector) : Z :=
  one c * dot (plain k) v + dot (weighted k) v.

(** What seeing a row, or many, has proven of them. *)
Definition step (n : nat) (c : claim) (rows : list row) (k l : seen) : Prop :=
  (length (plain l) = n /\ length (weighted l) = n) /\
  rows_of_width n rows /\
  Forall (respects (weights c)) rows /\
  settled_seen l = settled_seen k + count (is_settled (weights c)) rows /\
  core_seen l = core_seen k + count (is_core (weights c)) rows /\
  forall v, Forall (respects v) rows ->
    balance c k v <= balance c l v /\
    (balance c l v <= balance c k v ->
     forall r, In r rows -> settles v r -> settles (weights c) r).

Local Arguments Z.mul : simpl never.

Lemma see_step n c i r k l :
  length (plain k) = n /\ length (weighted k) = n -> 0 < one c ->
  see n c i r k = Some l -> step n c [r] k l.
Proof.
  intros [L M] O E; unfold see in E; destruct (take i (left k)) as [m rest].
  destruct (Nat.eqb _ n) eqn:W in E; [|discriminate]; apply Nat.eqb_eq in W.
  unfold step, balance, rows_of_width, count, is_settled, is_core, respects, settles, score in *.
  destruct r as [s x]; simpl in *.
  destruct s, m; simpl in *;
    repeat match type of E with (if ?b then _ else _) = _ => destruct b eqn:? end;
    try discriminate; injection E as <-; simpl;
    rewrite ?andb_true_iff, ?Z.ltb_lt, ?Z.ltb_ge, ?Z.eqb_eq in *; simpl;
    rewrite ?length_add_multiple.
  all: repeat split; auto; try lia.
  all: try (constructor; simpl; auto; lia).
  all: try (repeat match goal with |- context [if ?b then _ else _] => destruct b eqn:? end;
            simpl; rewrite ?Z.ltb_lt, ?Z.ltb_ge, ?Z.eqb_eq, ?Z.eqb_neq in *; lia).
  all: try match goal with V : Forall _ [_] |- _ => inversion V; subst; simpl in * end.
  all: rewrite ?dot_add_multiple in * by congruence; unfold signed in *.
  all: try match goal with
    | Q : _ \/ False |- _ => destruct Q as [<- | []]; simpl in *; try tauto
    end.
  all: try nia.
  all: try congruence.
Qed.

Lemma count_cons test r rows : count test (r :: rows) = count test [r] + count test rows.
Proof. unfold count; simpl; destruct (test r); simpl length; lia. Qed.

Lemma see_all_step n c rows : 0 < one c -> forall i k l,
  length (plain k) = n /\ length (weighted k) = n ->
  see_all n c i rows k = Some l -> step n c rows k l.
Proof.
  intros O; induction rows as [|r rows IH]; intros i k l L E; simpl in E.
  { injection E as <-; unfold step, rows_of_width, count; simpl.
    repeat split; auto; try lia; intros _ ? []. }
  destruct (see n c i r k) as [h|] eqn:S; [|discriminate].
  apply (see_step n c i r k h L O) in S as (Lh & Wh & Rh & Sh & Ch & Vh).
  apply (IH (Pos.succ i) h l Lh) in E as (Ll & Wl & Rl & Sl & Cl & Vl).
  unfold step; rewrite (count_cons _ r rows), (count_cons (is_core _) r rows).
  unfold rows_of_width in *.
  split; [exact Ll | split; [|split; [|split; [lia | split; [lia|]]]]].
  { constructor; [exact (Forall_inv Wh) | exact Wl]. }
  { constructor; [exact (Forall_inv Rh) | exact Rl]. }
  intros v V; pose proof (Forall_inv V) as A; apply Forall_inv_tail in V.
  destruct (Vh v (Forall_cons _ A (Forall_nil _))) as [Ah Bh]; destruct (Vl v V) as [Al Bl].
  split; [lia|]; intros B q [<- | Q]; [apply Bh | apply Bl]; auto using in_eq; lia.
Qed.

(** The theorem: what the check accepts is true. *)
Theorem check_sound n rows c : check n rows c = true -> holds n rows c.
Proof.
  unfold check; intros E; rewrite !andb_true_iff in E; destruct E as [[L O] E].
  apply Nat.eqb_eq in L; apply Z.ltb_lt in O.
  destruct (see_all _ _ _ _ _) as [[s k plain weighted [|]]|] eqn:S; try discriminate.
  rewrite !andb_true_iff, !Z.eqb_eq in E; destruct E as [[-> ->] Z0].
  apply see_all_step in S as ((P & Q) & W & R & Cs & Cc & V); simpl in *; auto using repeat_length.
  repeat split; auto; try lia; intros.
  all: destruct (V v (proj2 H)) as [_ B]; eapply B; eauto.
  all: pose proof (dot_zeros _ v Z0) as D; rewrite dot_add_multiple in D by congruence.
  all: unfold balance; simpl; rewrite !(dot_zeros _ _ (zeros_are_zero n)); lia.
Qed.

(** ** The status *)

Lemma settles_is_settled w r : settles w r <-> is_settled w r = true.
Proof.
  unfold settles, is_settled; destruct (side r); rewrite ?Z.ltb_lt; intuition discriminate.
Qed.

Lemma count_zero test rows : count test rows = 0 -> forall r, In r rows -> test r = false.
Proof.
  unfold count; induction rows as [|a rows IH]; intros E r; simpl in *; [tauto|].
  destruct (test a) eqn:T; simpl in E; try lia; intros [<- | I]; auto.
Qed.

Lemma count_positive test rows : 0 < count test rows -> exists r, In r rows /\ test r = true.
Proof.
  unfold count; intros P; destruct (filter test rows) as [|r l] eqn:F; simpl in P; [lia|].
  exists r; apply filter_In; rewrite F; left; reflexivity.
Qed.

(** Nothing is settled: the rows overlap. *)
Theorem overlapping_if n rows c : holds n rows c -> settled c = 0 -> overlapping n rows.
Proof.
  intros (_ & (_ & M) & S & _) Z0 v V; rewrite Z0 in S; apply Forall_forall; intros r I.
  pose proof (proj1 (Forall_forall _ _) (proj2 V) r I) as P.
  assert (N : ~ settles v r).
  { intros Q; apply M in Q; auto; apply settles_is_settled in Q.
    rewrite (count_zero _ _ S r I) in Q; discriminate. }
  unfold respects, settles in *; destruct (side r); auto;
    apply Z.le_antisymm; auto; apply Z.nlt_ge; intros G; apply N; split; congruence.
Qed.

(** Something is settled: a hyperplane separates the rows weakly. *)
Theorem weakly_separable_if n rows c :
  holds n rows c -> 0 < settled c -> weakly_separable n rows.
Proof.
  intros (_ & (U & _) & S & _) P; rewrite <- S in P; apply count_positive in P as (r & I & T).
  exists (weights c); split; auto; apply Exists_exists; exists r; rewrite settles_is_settled; auto.
Qed.

(** Something is settled, and something is not: the rows are quasi-separable. *)
Theorem quasi_separable_if n rows c :
  holds n rows c -> 0 < settled c -> 0 < core c -> quasi_separable n rows.
Proof.
  intros H P Q; split; [eapply weakly_separable_if; eauto|]; intros (v & L & A).
  destruct H as (_ & (_ & M) & _ & C); rewrite <- C in Q; apply count_positive in Q as (r & I & T).
  assert (V : unopposed n rows v).
  { split; auto; eapply Forall_impl; [|exact A]; intros a [N G]; unfold respects.
    destruct (side a); auto; try lia; congruence. }
  pose proof (M v V r I (proj1 (Forall_forall _ _) A r I)) as [_ G].
  unfold is_core in T; destruct (side r); try discriminate; apply Z.eqb_eq in T; lia.
Qed.

Lemma count_at_most test rows : count test rows <= Z.of_nat (length rows).
Proof. unfold count; induction rows as [|r rows IH]; simpl; [|destruct (test r); simpl]; lia. Qed.

(** Every row is settled: the rows are separable. *)
Theorem separable_if n rows c :
  holds n rows c -> settled c = Z.of_nat (length rows) -> separable n rows.
Proof.
  intros (_ & ((L & _) & _) & S & _) A; rewrite A in S; exists (weights c); split; auto.
  clear -S; induction rows as [|r rows IH]; constructor.
  all: pose proof (count_at_most (is_settled (weights c)) rows) as M; rewrite count_cons in S.
  all: cbn [length] in S; rewrite Nat2Z.inj_succ in S; unfold count at 1 in S; cbn [filter] in S.
  all: destruct (is_settled (weights c) r) eqn:T; cbn [length] in S; try lia.
  - apply settles_is_settled; exact T.
  - apply IH; lia.
Qed.
