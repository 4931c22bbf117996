(** * The rows of every regression

    A regression's estimate is finite just when no direction moves its likelihood without end, and
    what a direction must not oppose are rows: comparisons that the model makes of its table.  Here
    these rows are defined.  A table has the numbers x of each observation, as integers: all are
    times one positive number, [unit].  Its response is integers too.

    Every row ends in one more number, that of the constant: [unit] in a model with an offset, and
    else 0.  A multinomial model has a constant for each class: there x ends in [unit]. *)

From Coq Require Import ZArith List Bool Lia Sorted.
From Novikoff Require Import Claim.
Import ListNotations.
Open Scope Z_scope.

(** ** One row for each observation *)

(** Of all trials successes: x·δ >= 0.  None: -x·δ >= 0.  Some: x·δ = 0.  A logistic model has one
    trial. *)
Definition trials_row (last : Z) (x : vector) (successes trials : Z) : row :=
  Row (if successes =? 0 then Negative else if successes =? trials then Positive else Equality)
      (x ++ [last]).

(** A count of zero: -x·δ >= 0.  Any other: x·δ = 0. *)
Definition poisson_row (last : Z) (x : vector) (y : Z) : row :=
  Row (if y =? 0 then Negative else Equality) (x ++ [last]).

(** ** Classes and players, counted from 0 *)

(** n numbers, from k on. *)
Fixpoint numbers_from (k : Z) (n : nat) : list Z :=
  match n with O => [] | S n => k :: numbers_from (k + 1) n end.

Definition others (all : list Z) (one : Z) : list Z := filter (fun k => negb (k =? one)) all.

(** 1 for the one, -1 for the other, 0 for the rest. *)
Definition between (one other k : Z) : Z :=
  (if k =? one then 1 else 0) - (if k =? other then 1 else 0).

(** x·(δ_y - δ_k) >= 0 for each class k but y.  The reference has no columns. *)
Definition multinomial_rows (classes : list Z) (reference : Z) (x : vector) (y : Z) : list row :=
  map (fun k =>
         let block b := map (Z.mul (between y k b)) x in
         Row Positive (flat_map block (others classes reference) ++ [0]))
      (others classes y).

(** δ_winner - δ_loser + x·β >= 0, or = 0 where both won a share. *)
Definition contest_row (unit : Z) (players : list Z) (reference : Z)
    (x : vector) (winner loser : Z) (is_won : bool) : row :=
  Row (if is_won then Positive else Equality)
      (map (fun b => unit * between winner loser b) (others players reference) ++ x ++ [0]).

(** x·δ - a >= 0 for the threshold a below the class of x, and a - x·δ >= 0 for that above.
    Thresholds come first: [column] tells which of the n has the threshold above a class. *)
Definition ordinal_rows (unit : Z) (classes : Z) (n : nat) (column : Z -> Z)
    (x : vector) (y : Z) : list row :=
  let one_row (side a : Z) :=
    Row Positive (map (fun c => if c =? a then - (side * unit) else 0) (numbers_from 0 n)
                  ++ map (Z.mul side) x ++ [0]) in
  (if 0 <? y then [one_row 1 (column (y - 1))] else []) ++
  (if y <? classes - 1 then [one_row (-1) (column y)] else []).

(** The classes between the first and the last that some observation has.  Around a class that none
    has, the thresholds are one. *)
Definition inner_classes (classes : Z) (ys : list Z) : list Z :=
  nodup Z.eq_dec (filter (fun y => (0 <? y) && (y <? classes - 1)) ys).

Definition threshold_above (inner : list Z) (class : Z) : Z :=
  Z.of_nat (length (filter (fun c => c <=? class) inner)).

Definition ordinal_table (unit classes : Z) (table : list (vector * Z)) : list row :=
  let inner := inner_classes classes (map snd table) in
  flat_map (fun xy => ordinal_rows unit classes (S (length inner)) (threshold_above inner)
                                   (fst xy) (snd xy)) table.

(** ** Times, strata and sets

    A subject is at risk after its entry, until its time; there it has an event, or is censored.
    The cases of a matched set are events, all sets have one time, and ties are exact. *)

Record subject := Subject {
  place : Z; stratum : Z; entry : Z; time : Z; is_event : bool; values : vector }.

Definition at_risk (t : Z) (j : subject) : bool := (entry j <? t) && (t <=? time j).
Definition event_at (t : Z) (j : subject) : bool := is_event j && (time j =? t).

Record pair := Pair { winner : subject; loser : subject; is_equal : bool }.

(** An event i, at its time, beats all that are at risk then: x_i·δ >= x_j·δ.  Events of one time
    are equal, or, if ties are exact, not compared. *)
Definition meet (exact : bool) (i j : subject) : list pair :=
  if event_at (time i) j
  then if exact || (place j =? place i) then [] else [Pair i j true]
  else [Pair i j false].

Definition all_pairs (exact : bool) (subjects : list subject) : list pair :=
  flat_map (fun i =>
      flat_map (meet exact i)
               (filter (fun j => (stratum j =? stratum i) && at_risk (time i) j) subjects))
    (filter is_event subjects).

(** Most of these follow from others, and a proof is about those that are kept.
    [kept_pairs_suffice], below, proves that the rest change no answer. *)

Fixpoint insert (t : Z) (ts : list Z) : list Z :=
  match ts with
  | [] => [t]
  | u :: rest => if t <? u then t :: ts else if t =? u then ts else u :: insert t rest
  end.

(** Each number once, in ascending order. *)
Definition ascending (ts : list Z) : list Z := fold_left (fun found t => insert t found) ts [].

(** Of the events at one time one leads: that whose first event time at risk is the earliest. *)
Definition waits (times : list Z) (j : subject) : Z :=
  Z.of_nat (length (filter (fun t => t <=? entry j) times)).

Definition leader (times : list Z) (tied : list subject) : option subject :=
  match tied with
  | [] => None
  | i :: rest =>
      Some (fst (fold_left (fun best j =>
                    let w := waits times j in if w <? snd best then (j, w) else best)
                 rest (i, waits times i)))
  end.

Definition leaders (members : list subject) : list subject :=
  let times := ascending (map time (filter is_event members)) in
  flat_map (fun t => match leader times (filter (event_at t) members) with
                     | Some i => [i]
                     | None => []
                     end) times.

(** Whether j must be compared at a time whose next lead at risk is u. *)
Definition is_near (u : option subject) (j : subject) : bool :=
  match u with
  | None => true
  | Some u => (time j <? time u) || event_at (time u) j
  end.

(** At the time of each lead: with exact ties all events of that time, and else the lead alone, are
    compared with those at risk that no later lead speaks for. *)
Fixpoint kept_in (exact : bool) (members : list subject) (leads : list subject) : list pair :=
  match leads with
  | [] => []
  | lead :: later =>
      let u := find (fun m => entry m <? time lead) later in
      let compared := filter (fun j => at_risk (time lead) j && is_near u j) members in
      let makers := if exact then filter (event_at (time lead)) members else [lead] in
      flat_map (fun i => flat_map (meet exact i) compared) makers ++ kept_in exact members later
  end.

Definition kept_pairs (exact : bool) (subjects : list subject) : list pair :=
  flat_map (fun s =>
      let members := filter (fun j => stratum j =? s) subjects in
      kept_in exact members (leaders members))
    (ascending (map stratum subjects)).

Fixpoint minus (a b : vector) : vector :=
  match a, b with x :: a, y :: b => x - y :: minus a b | _, _ => [] end.

Definition pair_row (p : pair) : row :=
  Row (if is_equal p then Equality else Positive)
      (minus (values (winner p)) (values (loser p)) ++ [0]).

(** ** Why the pairs that are kept are enough

    Let s_j be the product x_j·δ.  At the time t of a lead let m be the next lead that is at risk at
    t already.  Whoever is not compared at t is at risk at the time of m, and m is compared there: an
    event at t beats m, and m beats the other. *)

(** s opposes no pair. *)
Definition keeps (s : subject -> Z) (p : pair) : Prop :=
  if is_equal p then s (winner p) = s (loser p) else s (loser p) <= s (winner p).

(** Subjects are at risk before their time, and each has a place of its own. *)
Definition well_formed (members : list subject) : Prop :=
  (forall j, In j members -> entry j < time j) /\
  (forall i j, In i members -> In j members -> place i = place j -> i = j).

Lemma in_meet exact i j p : In p (meet exact i j) ->
  (event_at (time i) j = true /\ exact = false /\ p = Pair i j true) \/
  (event_at (time i) j = false /\ p = Pair i j false).
Proof.
  unfold meet; destruct (event_at _ j); [|intros [<- | []]; auto].
  destruct exact; simpl; [tauto|]; destruct (place j =? place i); simpl; intuition.
Qed.

Lemma event_at_true t j : event_at t j = true <-> is_event j = true /\ time j = t.
Proof. unfold event_at; rewrite andb_true_iff, Z.eqb_eq; reflexivity. Qed.

Lemma at_risk_true t j : at_risk t j = true <-> entry j < t <= time j.
Proof. unfold at_risk; rewrite andb_true_iff, Z.ltb_lt, Z.leb_le; reflexivity. Qed.

Section Kept.

Variables (exact : bool) (members : list subject) (s : subject -> Z).
Hypothesis formed : well_formed members.

Definition beats (l : subject) : Prop :=
  forall i j, In i members -> event_at (time l) i = true ->
  In j members -> at_risk (time l) j = true ->
  if event_at (time l) j then exact = false -> s i = s j else s j <= s i.

Lemma first_beats l later :
  In l members -> is_event l = true ->
  (forall m, In m later -> In m members /\ is_event m = true /\ time l < time m /\ beats m) ->
  (forall p, In p (kept_in exact members (l :: later)) -> keeps s p) -> beats l.
Proof.
  intros Ml El Later K.
  cbn [kept_in] in K; remember (find _ later) as u eqn:U; symmetry in U.
  assert (meets : forall i j, In i members -> event_at (time l) i = true ->
            exact = true \/ i = l -> In j members -> at_risk (time l) j = true ->
            is_near u j = true -> forall p, In p (meet exact i j) -> keeps s p).
  { intros i j Mi Ei X Mj Rj Nj p P; apply K, in_or_app; left; apply in_flat_map; exists i; split.
    - destruct X as [-> | ->]; [apply filter_In; auto|].
      destruct exact; [apply filter_In; auto | simpl; auto].
    - apply in_flat_map; exists j; split; auto; apply filter_In; rewrite Rj, Nj; auto. }
  assert (tied : forall i, In i members -> event_at (time l) i = true -> exact = false ->
            s i = s l).
  { intros i Mi Ei X; pose proof (proj1 (event_at_true _ _) Ei) as [Ii Ti].
    destruct (Z.eq_dec (place i) (place l)) as [Q | Q].
    { rewrite (proj2 formed i l); auto. }
    assert (H : keeps s (Pair l i true)); [|unfold keeps in H; simpl in H; auto].
    apply (meets l i); auto.
    - apply event_at_true; auto.
    - apply at_risk_true; pose proof (proj1 formed i Mi); lia.
    - destruct u as [m|]; auto; apply find_some in U as [U _]; apply Later in U as (_ & _ & U & _).
      simpl; apply orb_true_iff; left; apply Z.ltb_lt; lia.
    - unfold meet; rewrite Ei, X; apply Z.eqb_neq in Q; rewrite Q; simpl; auto. }
  assert (near : forall i j, In i members -> event_at (time l) i = true -> In j members ->
            at_risk (time l) j = true -> is_near u j = true -> event_at (time l) j = false ->
            s j <= s i).
  { intros i j Mi Ei Mj Rj Nj Ej; pose proof (proj1 (event_at_true _ _) Ei) as [Ii Ti].
    destruct exact eqn:X.
    - assert (H : keeps s (Pair i j false)); [|unfold keeps in H; simpl in H; auto].
      apply (meets i j); auto; unfold meet; rewrite Ti, Ej; simpl; auto.
    - rewrite (tied i) by auto.
      assert (H : keeps s (Pair l j false)); [|unfold keeps in H; simpl in H; auto].
      apply (meets l j); auto; [apply event_at_true; auto|].
      unfold meet; rewrite Ej; simpl; auto. }
  intros i j Mi Ei Mj Rj; destruct (event_at (time l) j) eqn:Ej.
  { intros X; rewrite (tied i), (tied j); auto. }
  destruct (is_near u j) eqn:Nj; [apply near; auto|].
  destruct u as [m|]; [|discriminate].
  apply find_some in U as [I U]; apply Z.ltb_lt in U; apply Later in I as (Mm & Em & Tm & Bm).
  simpl in Nj; apply orb_false_iff in Nj as [Nj Nm]; apply Z.ltb_ge in Nj.
  apply at_risk_true in Rj.
  transitivity (s m).
  - assert (Q : at_risk (time m) j = true) by (apply at_risk_true; lia).
    specialize (Bm m j Mm (proj2 (event_at_true _ _) (conj Em eq_refl)) Mj Q).
    rewrite Nm in Bm; exact Bm.
  - apply near; auto.
    + apply at_risk_true; lia.
    + simpl; apply orb_true_iff; right; apply event_at_true; auto.
    + destruct (event_at (time l) m) eqn:Q; auto; apply event_at_true in Q; lia.
Qed.

Lemma all_beat leads :
  StronglySorted Z.lt (map time leads) ->
  (forall m, In m leads -> In m members /\ is_event m = true) ->
  (forall p, In p (kept_in exact members leads) -> keeps s p) ->
  forall l, In l leads -> beats l.
Proof.
  induction leads as [|l later IH]; intros S M K; [intros _ []|].
  apply StronglySorted_inv in S as [S L].
  assert (B : forall m, In m later -> beats m).
  { apply IH; auto using in_cons; intros p P; apply K; cbn [kept_in]; apply in_or_app; auto. }
  intros m [<- | I]; auto; apply (first_beats l later); auto; try (apply M, in_eq).
  intros m I; repeat split; auto; try (apply M, in_cons, I).
  rewrite Forall_forall in L; apply L, in_map, I.
Qed.

End Kept.

(** Sorting. *)
Lemma in_insert t x ts : In x (insert t ts) <-> x = t \/ In x ts.
Proof.
  induction ts as [|u ts IH]; simpl; [intuition|].
  destruct (t <? u); simpl; [intuition|]; destruct (t =? u) eqn:E; simpl.
  - apply Z.eqb_eq in E; subst; intuition.
  - rewrite IH; intuition.
Qed.

Lemma sorted_insert t ts : StronglySorted Z.lt ts -> StronglySorted Z.lt (insert t ts).
Proof.
  induction ts as [|u ts IH]; intros S; simpl; [repeat constructor|].
  pose proof (StronglySorted_inv S) as [T L]; rewrite Forall_forall in L.
  destruct (t <? u) eqn:E; [|destruct (t =? u) eqn:F; auto].
  - apply Z.ltb_lt in E; constructor; auto; apply Forall_forall; intros x [<- | I]; auto.
    apply L in I; lia.
  - apply Z.ltb_ge in E; apply Z.eqb_neq in F; constructor; auto; apply Forall_forall.
    intros x I; apply in_insert in I as [-> | I]; auto; lia.
Qed.

Lemma ascending_is ts :
  StronglySorted Z.lt (ascending ts) /\ forall x, In x (ascending ts) <-> In x ts.
Proof.
  unfold ascending.
  enough (H : forall found, StronglySorted Z.lt found ->
            StronglySorted Z.lt (fold_left (fun found t => insert t found) ts found) /\
            forall x, In x (fold_left (fun found t => insert t found) ts found) <->
                      In x found \/ In x ts).
  { destruct (H [] (SSorted_nil _)) as [S I]; split; auto; intros x; rewrite I; simpl; tauto. }
  induction ts as [|t ts IH]; intros found S; simpl; [intuition|].
  destruct (IH (insert t found) (sorted_insert t found S)) as [T I]; split; auto.
  intros x; rewrite I, in_insert; intuition.
Qed.

Lemma leader_is times tied l : leader times tied = Some l -> In l tied.
Proof.
  destruct tied as [|i rest]; simpl; [discriminate|]; intros E; injection E as <-.
  generalize (waits times i) as w; revert i; induction rest as [|j rest IH]; intros i w; simpl; auto.
  destruct (_ <? w).
  - specialize (IH j (waits times j)); simpl in IH; tauto.
  - specialize (IH i w); simpl in IH; tauto.
Qed.

Lemma leaders_are members :
  StronglySorted Z.lt (map time (leaders members)) /\
  (forall l, In l (leaders members) -> In l members /\ is_event l = true) /\
  (forall i, In i members -> is_event i = true ->
   exists l, In l (leaders members) /\ time l = time i).
Proof.
  unfold leaders; destruct (ascending_is (map time (filter is_event members))) as [S A].
  set (times := ascending _) in *.
  set (lead := fun t => match leader times (filter (event_at t) members) with
                        | Some i => [i] | None => [] end).
  assert (some : forall t, In t times -> exists l, lead t = [l] /\ time l = t /\
                   In l members /\ is_event l = true).
  { intros t T; apply A, in_map_iff in T as (i & <- & I); apply filter_In in I as [I E].
    unfold lead; destruct (leader times _) as [l|] eqn:Q.
    - apply leader_is, filter_In in Q as [M Q]; apply event_at_true in Q as [Q R]; eauto.
    - destruct (filter (event_at (time i)) members) as [|j rest] eqn:F; [|discriminate Q].
      assert (X : In i []); [|destruct X].
      rewrite <- F; apply filter_In; rewrite event_at_true; auto. }
  assert (same : forall ts, (forall t, In t ts -> In t times) -> map time (flat_map lead ts) = ts).
  { intros ts; induction ts as [|t ts IH]; intros T; simpl; auto; rewrite map_app.
    destruct (some t (T t (in_eq _ _))) as (l & -> & <- & _); simpl; f_equal.
    apply IH; auto using in_cons. }
  split; [rewrite same; auto | split].
  - intros l I; apply in_flat_map in I as (t & T & I); destruct (some t T) as (m & Q & _ & M).
    rewrite Q in I; destruct I as [<- | []]; exact M.
  - intros i I E.
    assert (T : In (time i) times).
    { apply A, in_map_iff; exists i; split; auto; apply filter_In; auto. }
    destruct (some _ T) as (l & Q & T2 & _); exists l; split; auto.
    apply in_flat_map; exists (time i); split; auto; rewrite Q; simpl; auto.
Qed.

(** What keeps the kept pairs keeps all, and the kept are among all. *)
Lemma kept_imply_all exact subjects s : well_formed subjects ->
  (forall p, In p (kept_pairs exact subjects) -> keeps s p) ->
  forall p, In p (all_pairs exact subjects) -> keeps s p.
Proof.
  intros [T P] K p I; apply in_flat_map in I as (i & I & J); apply filter_In in I as [I E].
  apply in_flat_map in J as (j & J & Q); apply filter_In in J as [J R].
  apply andb_true_iff in R as [S R]; apply Z.eqb_eq in S.
  set (members := filter (fun j => stratum j =? stratum i) subjects).
  assert (within : forall k, In k members <-> In k subjects /\ stratum k = stratum i)
    by (intros k; unfold members; rewrite filter_In, Z.eqb_eq; tauto).
  destruct (leaders_are members) as (L & M & C).
  destruct (C i (proj2 (within i) (conj I eq_refl)) E) as (l & Il & Tl).
  assert (B : beats exact members s l).
  { apply (all_beat exact members s) with (leads := leaders members); auto.
    - split; intros; repeat match goal with H : In _ members |- _ => apply within in H end;
        intuition.
    - intros q H; apply K; unfold kept_pairs; apply in_flat_map; exists (stratum i); split; auto.
      apply (proj2 (ascending_is _)), in_map, I. }
  specialize (B i j); rewrite Tl in B; unfold keeps.
  rewrite !within, event_at_true in B; specialize (B (conj I eq_refl) (conj E eq_refl) (conj J S) R).
  apply in_meet in Q as [(F & X & ->) | (F & ->)]; rewrite F in B; simpl; auto.
Qed.

Lemma kept_are_of_all exact subjects p :
  In p (kept_pairs exact subjects) -> In p (all_pairs exact subjects).
Proof.
  unfold kept_pairs; intros I; apply in_flat_map in I as (t & _ & I).
  set (members := filter (fun j => stratum j =? t) subjects) in I.
  assert (within : forall k, In k members -> In k subjects /\ stratum k = t)
    by (intros k; unfold members; rewrite filter_In, Z.eqb_eq; tauto).
  destruct (leaders_are members) as (_ & M & _).
  induction (leaders members) as [|l later IH]; [destruct I|].
  cbn [kept_in] in I; apply in_app_or in I as [I | I]; [|auto using in_cons].
  apply in_flat_map in I as (i & I & J); apply in_flat_map in J as (j & J & Q).
  assert (Mi : In i members /\ is_event i = true /\ time i = time l).
  { destruct exact; [apply filter_In in I as [I E]; apply event_at_true in E; tauto|].
    destruct I as [<- | []]; destruct (M l (in_eq _ _)); auto. }
  destruct Mi as (Mi & Ei & Ti); apply filter_In in J as [J R]; apply andb_true_iff in R as [R _].
  apply within in Mi as [Mi Si]; apply within in J as [J Sj].
  apply in_flat_map; exists i; split; [apply filter_In; auto|].
  apply in_flat_map; exists j; split; auto; apply filter_In; split; auto.
  rewrite Sj, Si, Z.eqb_refl, Ti; exact R.
Qed.

Lemma dot_minus a b w : length a = length b -> dot (minus a b ++ [0]) w = dot a w - dot b w.
Proof.
  revert b w; induction a as [|x a IH]; intros [|y b] w L; try discriminate; simpl.
  - destruct w; lia.
  - destruct w as [|v w]; [lia|]; rewrite IH by (simpl in L; lia); lia.
Qed.

(** The theorem: the rows of the kept pairs leave the same directions unopposed as those of all, and
    so the estimate is finite by the one just when it is by the other. *)
Theorem kept_pairs_suffice exact n subjects :
  well_formed subjects -> (forall j, In j subjects -> length (values j) = n) ->
  let kept := map pair_row (kept_pairs exact subjects) in
  let all := map pair_row (all_pairs exact subjects) in
  (forall w, unopposed (S n) kept w <-> unopposed (S n) all w) /\
  (overlapping (S n) kept <-> overlapping (S n) all) /\
  (weakly_separable (S n) kept <-> weakly_separable (S n) all).
Proof.
  intros W L kept all.
  assert (ends : forall p, In p (all_pairs exact subjects) ->
            length (values (winner p)) = length (values (loser p))).
  { intros p I; apply in_flat_map in I as (i & I & J); apply filter_In in I as [I _].
    apply in_flat_map in J as (j & J & Q); apply filter_In in J as [J _].
    apply in_meet in Q as [(_ & _ & ->) | (_ & ->)]; simpl; rewrite !L; auto. }
  assert (scores : forall w p, In p (all_pairs exact subjects) ->
            score w (pair_row p) = dot (values (winner p)) w - dot (values (loser p)) w).
  { intros w p I; unfold score, pair_row; simpl; destruct (is_equal p); apply dot_minus; auto. }
  assert (respected : forall w p, In p (all_pairs exact subjects) ->
            (respects w (pair_row p) <-> keeps (fun j => dot (values j) w) p)).
  { intros w p I; unfold respects, keeps; rewrite scores by auto; unfold pair_row; simpl.
    destruct (is_equal p); lia. }
  assert (of_all := kept_are_of_all exact subjects).
  assert (same : forall w, unopposed (S n) kept w <-> unopposed (S n) all w).
  { unfold unopposed, kept, all; intros w; rewrite !Forall_map, !Forall_forall.
    split; intros [N K]; split; auto; intros p I.
    apply respected; auto; revert p I; apply kept_imply_all; auto.
    intros p I; apply respected; auto. }
  assert (still : forall w, unopposed (S n) all w -> Forall (fun r => score w r = 0) kept ->
            Forall (fun r => score w r = 0) all).
  { unfold unopposed, kept, all; intros w; rewrite !Forall_map, !Forall_forall.
    intros [_ K] Z0 p I; specialize (K p I); apply respected in K; auto; rewrite scores by auto.
    assert (B : keeps (fun j => - dot (values j) w) p).
    { clear K; revert p I; apply kept_imply_all; auto.
      intros q J; specialize (Z0 q J); rewrite scores in Z0 by auto; unfold keeps.
      destruct (is_equal q); lia. }
    unfold keeps in *; destruct (is_equal p); lia. }
  assert (fewer : forall P, Forall P all -> Forall P kept).
  { unfold kept, all; intros P; rewrite !Forall_map, !Forall_forall; auto. }
  split; [exact same | split; split].
  - intros O w U; apply still; auto; apply O, same, U.
  - intros O w U; apply fewer, O, same, U.
  - intros (w & U & E); exists w; split; [apply same, U|].
    apply Exists_exists in E as (r & I & S); apply Exists_exists; exists r; split; auto.
    unfold kept, all in *; apply in_map_iff in I as (p & <- & I); apply in_map; auto.
  - intros (w & U & E); exists w; split; [apply same, U|].
    destruct (Exists_dec (settles w) kept) as [D | D]; auto.
    { intros r; unfold settles; destruct (side r), (Z_lt_dec 0 (score w r));
        (left; split; [congruence | lia]) || (right; intros [A B]; congruence || lia). }
    exfalso; apply Exists_exists in E as (r & I & [_ S]).
    assert (Z0 : Forall (fun r => score w r = 0) kept).
    { apply Forall_forall; intros q J; apply same in U as [_ V]; rewrite Forall_forall in V.
      assert (X := V q J); destruct (Z.eq_dec (score w q) 0); auto; exfalso; apply D.
      apply Exists_exists; exists q; split; auto; unfold respects, settles in *.
      destruct (side q); split; try congruence; lia. }
    apply (still w U) in Z0; rewrite Forall_forall in Z0; specialize (Z0 r I); lia.
Qed.
