// Where a mailbox provider may send a complaint about one copy (RFC 9477): the copy's own
// return-path, on a domain below the sender's as RFC 9477 §3.1 asks, so that the token in it names
// the recipient. It stands behind the signature, before all else. Pure.
import type { HeaderTokens } from "../../lib/mime/header-folding.ts";

export const FEEDBACK_ADDRESS = "CFBL-Address";

/** The field's value. `returnPath`: the copy's, without brackets. */
export function feedbackAddressTokens(returnPath: string): HeaderTokens {
  return [`${returnPath};`, "report=arf"];
}
