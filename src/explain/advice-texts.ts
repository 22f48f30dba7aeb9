// The advice that several explanations give (contract.md §Explanations), as data. A word in braces
// stands for a fact: {domain} is the recipient's domain. Pure.
import type { Advice } from "./explanation.ts";

/** The path that sends a message again. {email_id} is the message's id. */
const SEND_AGAIN_PATH = "/v1/email/{email_id}/send-again";
/** The path that shows the outcome of other mail to the address. */
export const ADDRESS_PATH = "/v1/recipients/{address_in_path}";
export const POSTMASTER = "mailto:postmaster@{domain}";

export const SEND_AGAIN: Advice = {
  kind: "send_again",
  text: "Send the message again later.",
  href: SEND_AGAIN_PATH,
};
export const CORRECT_ADDRESS: Advice = {
  kind: "correct_address",
  text: "Check the spelling of the address, or ask the recipient for a current one.",
  href: ADDRESS_PATH,
};
export const FIX_DNS: Advice = {
  kind: "fix_dns",
  text: "Check the DNS records of {from_domain}.",
  href: "/v1/domains",
};
export const ASK_POSTMASTER: Advice = {
  kind: "contact_provider",
  text: "Ask the postmaster of {domain} to allow your mail: only they can change this.",
  href: POSTMASTER,
};
export const TELL_RECIPIENT: Advice = {
  kind: "contact_recipient",
  text: "Contact the recipient some other way: only the administrators of {domain} can fix this.",
};
export const CHANGE_MESSAGE: Advice = {
  kind: "change_message",
  text: "Change the wording or the links of the message before you send it again.",
};
export const TELL_OPERATOR = tellOperator(
  "Send the server's reply to the operator of this service.",
);
export const TELL_CLOUDFLARES_REPLY = tellOperator(
  "Send Cloudflare's reply to the operator of this service.",
);

export function tellOperator(text: string): Advice {
  return { kind: "contact_operator", text };
}
