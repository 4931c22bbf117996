(* The two ways in which a proof is not accepted. *)

exception Does_not_hold of string
exception Cannot_tell of string

let need condition reason = if not condition then raise (Does_not_hold reason)
let refuse reason = raise (Does_not_hold reason)
