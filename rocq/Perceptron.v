(** * The theorem of Block and Novikoff, and its converse

    Rosenblatt's perceptron starts from w = 0 and visits one row after the other.  z is a row times
    the sign of its class.  If the perceptron makes a mistake on z, then w becomes w + z.

    Theorem (Block 1962, Novikoff 1962).  Let all rows of a sequence have the length R at most, and
    let some direction u have z·u/|u| >= γ > 0 for all of them.  Then the perceptron makes at most
    (R/γ)² mistakes on the sequence, however long it is.  With γ = g/|u| this is k·g² <= R²·|u|²,
    which needs neither roots nor fractions: so it is stated here.  Rows of fractions, times their
    common denominator, are rows of integers, and the mistakes are the same.

    The converse: on rows that are not separable the perceptron never converges, for each pass
    over them has a mistake. *)

From Coq Require Import ZArith List Bool Lia.
From Novikoff Require Import Claim.
Import ListNotations.
Open Scope Z_scope.

(** w + z. *)
Definition update (w : vector) (r : row) : vector :=
  add_multiple (signed (side r) 1) (numbers r) w.

(** A row of one of the two classes, with n numbers. *)
Definition is_example (n : nat) (r : row) : Prop := side r <> Equality /\ length (numbers r) = n.

(** ** Products *)

Lemma dot_comm a : forall b, dot a b = dot b a.
Proof. induction a as [|x a IH]; intros [|y b]; simpl; auto; rewrite IH; lia. Qed.

Lemma dot_square a : 0 <= dot a a.
Proof. induction a as [|x a IH]; simpl; [lia | nia]. Qed.

(** The algebra of one update, times any v, and the length of the new weights. *)
Lemma update_dot n w r v : length w = n -> is_example n r -> dot (update w r) v = dot w v + score v r.
Proof.
  intros L [N E]; unfold update, score; rewrite dot_add_multiple by congruence.
  destruct (side r); cbn [signed]; try lia; congruence.
Qed.

Lemma update_square n w r : length w = n -> is_example n r ->
  dot (update w r) (update w r) = dot w w + 2 * score w r + dot (numbers r) (numbers r).
Proof.
  intros L E; rewrite (update_dot n) by assumption; rewrite dot_comm, (update_dot n) by assumption.
  assert (S : score (update w r) r = score w r + dot (numbers r) (numbers r)); [|lia].
  unfold score; rewrite !(dot_comm (numbers r)), !(update_dot n) by assumption; unfold score.
  destruct E as [N _]; destruct (side r); try lia; congruence.
Qed.

(** The inequality of Cauchy and Schwarz, squared: (a·b)² <= |a|²·|b|². *)
Lemma cauchy_schwarz a : forall b, dot a b * dot a b <= dot a a * dot b b.
Proof.
  induction a as [|x a IH]; intros [|y b]; simpl; try lia.
  specialize (IH b); pose proof (dot_square a); pose proof (dot_square b).
  set (A := dot a a) in *; set (B := dot b b) in *; set (D := dot a b) in *.
  assert (S : (2 * x * y * D) * (2 * x * y * D) <= (x * x * B + y * y * A) * (x * x * B + y * y * A)).
  { assert (4 * (x * y) * (x * y) * (D * D) <= 4 * (x * y) * (x * y) * (A * B)) by
      (apply Z.mul_le_mono_nonneg_l; nia).
    pose proof (Z.square_nonneg (x * x * B - y * y * A)); nia. }
  assert (P : 0 <= x * x * B + y * y * A) by nia.
  assert (2 * x * y * D <= x * x * B + y * y * A) by (apply Z.nlt_ge; intros N; nia).
  nia.
Qed.

(** ** The bound *)

Section Bound.

(** What counts as a mistake of w on a row.  The lectures differ where the score is exactly 0: all
    that the theorem needs is that a row strictly on its side is never a mistake. *)
Variable mistake : vector -> row -> bool.
Hypothesis mistaken : forall w r, mistake w r = true -> score w r <= 0.

(** The weights and the number of mistakes, once a sequence of rows was visited. *)
Fixpoint visit (w : vector) (k : Z) (rows : list row) : vector * Z :=
  match rows with
  | [] => (w, k)
  | r :: rows => if mistake w r then visit (update w r) (k + 1) rows else visit w k rows
  end.

Lemma visit_from rows : forall w k,
  fst (visit w k rows) = fst (visit w 0 rows) /\ snd (visit w k rows) = k + snd (visit w 0 rows) /\
  0 <= snd (visit w 0 rows).
Proof.
  induction rows as [|r rows IH]; intros w k; simpl.
  { repeat split; lia. }
  destruct (mistake w r); auto.
  destruct (IH (update w r) (k + 1)) as (A & B & C), (IH (update w r) 1) as (D & E & _).
  rewrite A, D, B, E; repeat split; lia.
Qed.

(** The sandwich of the proof: after k mistakes k·g <= w·u, and |w|² <= k·R². *)
Lemma sandwich n u g R2 rows : forall w k,
  Forall (fun r => is_example n r /\ g <= score u r /\ dot (numbers r) (numbers r) <= R2) rows ->
  length w = n -> k * g <= dot w u -> dot w w <= k * R2 ->
  let (w', k') := visit w k rows in
  length w' = n /\ k' * g <= dot w' u /\ dot w' w' <= k' * R2.
Proof.
  induction rows as [|r rows IH]; intros w k A L G R; simpl; auto.
  inversion A as [|? ? (E & M & S) A']; subst.
  destruct (mistake w r) eqn:X; [apply mistaken in X|]; apply IH; auto.
  - unfold update; apply length_add_multiple.
  - rewrite (update_dot (length w)) by auto; lia.
  - rewrite (update_square (length w)) by auto; lia.
Qed.

Theorem block_novikoff n u g R2 rows :
  0 < g -> 0 <= R2 ->
  Forall (fun r => is_example n r /\ g <= score u r /\ dot (numbers r) (numbers r) <= R2) rows ->
  let k := snd (visit (repeat 0 n) 0 rows) in
  k * (g * g) <= R2 * dot u u.
Proof.
  intros P Q A; pose proof (sandwich n u g R2 rows (repeat 0 n) 0 A (repeat_length _ _)) as S.
  destruct (visit_from rows (repeat 0 n) 0) as (_ & _ & K).
  rewrite !(dot_zeros _ _ (zeros_are_zero n)) in S.
  destruct (visit (repeat 0 n) 0 rows) as [w k]; simpl in *.
  destruct S as (_ & G & R); try lia.
  pose proof (cauchy_schwarz w u) as C; pose proof (dot_square u) as U.
  destruct (Z.eq_dec k 0) as [-> | N]; [nia|].
  assert ((k * g) * (k * g) <= dot w u * dot w u) by (apply Z.mul_le_mono_nonneg; nia).
  assert (dot w w * dot u u <= k * R2 * dot u u) by (apply Z.mul_le_mono_nonneg_r; lia).
  apply (Z.mul_le_mono_pos_l _ _ k); lia.
Qed.

End Bound.

(** ** The converse *)

(** The usual rule: a row on the hyperplane is a mistake, else w = 0 would never move. *)
Definition on_or_wrong (w : vector) (r : row) : bool := score w r <=? 0.

(** The weights and the mistakes of so many passes over the same rows. *)
Fixpoint passes (p : nat) (w : vector) (k : Z) (rows : list row) : vector * Z :=
  match p with
  | O => (w, k)
  | S p => let (w, k) := visit on_or_wrong w k rows in passes p w k rows
  end.

(** After some passes, the next one has no mistake. *)
Definition converges (n : nat) (rows : list row) : Prop :=
  exists p, snd (visit on_or_wrong (fst (passes p (repeat 0 n) 0 rows)) 0 rows) = 0.

(** A pass without a mistake: its weights settle every row. *)
Lemma clean_pass rows : forall w,
  snd (visit on_or_wrong w 0 rows) = 0 -> Forall (fun r => 0 < score w r) rows.
Proof.
  induction rows as [|r rows IH]; intros w E; simpl in *; [constructor|].
  destruct (on_or_wrong w r) eqn:X.
  - destruct (visit_from on_or_wrong rows (update w r) 1) as (_ & B & C); lia.
  - unfold on_or_wrong in X; apply Z.leb_gt in X; auto.
Qed.

Lemma visit_length mistake n rows : forall w k,
  length w = n -> length (fst (visit mistake w k rows)) = n.
Proof.
  induction rows as [|r rows IH]; intros w k L; simpl; auto.
  destruct (mistake w r); apply IH; auto; unfold update; rewrite length_add_multiple; auto.
Qed.

(** On rows that are not separable every pass has a mistake, wherever it starts: after p passes
    there are p mistakes at least. *)
Theorem never_converges n rows : Forall (is_example n) rows -> ~ separable n rows ->
  forall p w k, length w = n -> k + Z.of_nat p <= snd (passes p w k rows).
Proof.
  intros E N; induction p as [|p IH]; intros w k L; cbn [passes]; [simpl; lia|].
  pose proof (visit_length on_or_wrong n rows w k L) as L'.
  destruct (visit_from on_or_wrong rows w k) as (_ & B & C).
  assert (D : snd (visit on_or_wrong w 0 rows) <> 0).
  { intros Z0; apply clean_pass in Z0; apply N; exists w; split; auto.
    apply Forall_forall; intros r I; split.
    - apply (proj1 (Forall_forall _ _) E r I).
    - apply (proj1 (Forall_forall _ _) Z0 r I). }
  destruct (visit on_or_wrong w k rows) as [w' k']; simpl in *; specialize (IH w' k' L'); lia.
Qed.

(** Passes are one visit of the rows, repeated. *)
Lemma passes_visit p rows : forall w k,
  passes p w k rows = visit on_or_wrong w k (concat (repeat rows p)).
Proof.
  assert (A : forall a b w k, visit on_or_wrong w k (a ++ b) =
    let (w, k) := visit on_or_wrong w k a in visit on_or_wrong w k b).
  { induction a as [|r a IH]; intros b w k; simpl; auto; destruct (on_or_wrong w r); apply IH. }
  induction p as [|p IH]; intros w k; simpl; auto; rewrite A.
  destruct (visit on_or_wrong w k rows); apply IH.
Qed.

Lemma no_clean_pass rows : forall p w k,
  (forall q, (q < p)%nat -> snd (visit on_or_wrong (fst (passes q w k rows)) 0 rows) <> 0) ->
  k + Z.of_nat p <= snd (passes p w k rows).
Proof.
  induction p as [|p IH]; intros w k N; cbn [passes]; [simpl; lia|].
  pose proof (N O (Nat.lt_0_succ p)) as M; simpl in M.
  destruct (visit_from on_or_wrong rows w k) as (_ & B & C).
  destruct (visit on_or_wrong w k rows) as [w' k'] eqn:V; simpl in *.
  assert (k' + Z.of_nat p <= snd (passes p w' k' rows)); [|lia].
  apply IH; intros q Q; specialize (N (S q)); simpl in N; rewrite V in N; apply N; lia.
Qed.

(** The perceptron converges on just the data that is separable. *)
Theorem converges_iff_separable n rows : Forall (is_example n) rows ->
  (converges n rows <-> separable n rows).
Proof.
  intros E; split.
  - intros (p & C); apply clean_pass in C; exists (fst (passes p (repeat 0 n) 0 rows)); split.
    + rewrite passes_visit; apply visit_length, repeat_length.
    + apply Forall_forall; intros r I; split.
      * apply (proj1 (Forall_forall _ _) E r I).
      * apply (proj1 (Forall_forall _ _) C r I).
  - intros (u & L & S).
    assert (R : exists R2, 0 <= R2 /\ Forall (fun r => dot (numbers r) (numbers r) <= R2) rows).
    { clear; induction rows as [|r rows (R2 & P & A)]; [exists 0; split; [lia | constructor]|].
      exists (Z.max R2 (dot (numbers r) (numbers r))); split; [lia|]; constructor; [lia|].
      eapply Forall_impl; [|exact A]; simpl; intros; lia. }
    destruct R as (R2 & P & R); set (most := Z.to_nat (R2 * dot u u)).
    set (next q := snd (visit on_or_wrong (fst (passes q (repeat 0 n) 0 rows)) 0 rows)).
    assert (B : forall p, snd (passes p (repeat 0 n) 0 rows) <= R2 * dot u u).
    { intros p; rewrite passes_visit.
      pose proof (block_novikoff on_or_wrong (fun w r => proj1 (Z.leb_le _ _)) n u 1 R2
        (concat (repeat rows p)) Z.lt_0_1 P) as T; simpl in T; rewrite Z.mul_1_r in T; apply T.
      apply Forall_forall; intros r I; apply in_concat in I as (l & I & J).
      apply repeat_spec in I; subst l; split; [apply (proj1 (Forall_forall _ _) E r J)|].
      split; [|apply (proj1 (Forall_forall _ _) R r J)].
      pose proof (proj2 (proj1 (Forall_forall _ _) S r J)); lia. }
    assert (D : (exists q, (q < Datatypes.S most)%nat /\ next q = 0) \/
                (forall q, (q < Datatypes.S most)%nat -> next q <> 0)).
    { generalize (Datatypes.S most); intros m; induction m as [|m [(q & Q & Z0) | A]].
      - right; intros; lia.
      - left; exists q; split; [lia | exact Z0].
      - destruct (Z.eq_dec (next m) 0); [left; exists m; auto|].
        right; intros q Q; destruct (Nat.eq_dec q m); [congruence | apply A; lia]. }
    destruct D as [(q & _ & Z0) | A]; [exists q; exact Z0|].
    apply no_clean_pass in A; specialize (B (Datatypes.S most)).
    pose proof (Z.mul_nonneg_nonneg _ _ P (dot_square u)); lia.
Qed.

(** ** Through the origin, and with an offset (lecture 001) *)

Definition with_offset (r : row) : row := Row (side r) (numbers r ++ [1]).

Lemma dot_app a : forall b x y, length a = length b -> dot (a ++ [x]) (b ++ [y]) = dot a b + x * y.
Proof.
  induction a as [|h a IH]; intros [|k b] x y E; simpl in *; try lia; try discriminate.
  rewrite IH by lia; lia.
Qed.

(** What is separable through the origin is separable with an offset: with the offset 0. *)
Theorem through_origin_with_offset n rows : rows_of_width n rows ->
  separable n rows -> separable (n + 1) (map with_offset rows).
Proof.
  intros W (w & L & A); exists (w ++ [0]); rewrite app_length; split; [simpl; lia|].
  apply Forall_map, Forall_forall; intros r I.
  pose proof (proj1 (Forall_forall _ _) W r I) as E.
  destruct (proj1 (Forall_forall _ _) A r I) as [N S]; split; auto.
  unfold score, with_offset in *; simpl; rewrite dot_app by congruence.
  destruct (side r); lia.
Qed.

(** The reverse is false: 1 and 2 on a line, of different classes. *)
Theorem offset_may_be_needed :
  let rows := [Row Positive [1]; Row Negative [2]] in
  separable 2 (map with_offset rows) /\ ~ separable 1 rows.
Proof.
  split.
  - exists [-2; 3]; split; auto; repeat constructor; discriminate.
  - intros ([|w [|]] & L & A); try discriminate.
    inversion A as [|? ? [_ P] B]; inversion B as [|? ? [_ Q] _]; subst.
    unfold score in *; cbn [dot side numbers] in *; lia.
Qed.
