// Writes the text of a bounce if the recipient is on the suppression list of the Email Service
// itself (docs/couriers.md). Lifting the team's suppression does not change that list, so the text
// says how the operator can remove the entry from it. Pure.

const LIFTED_THERE =
  "This address is on the suppression list of the Cloudflare account that sends the mail. " +
  "The operator of that account can remove it in Cloudflare's dashboard, under Compute > " +
  "Email Service > Email Sending > Suppressions. Lifting the team's suppression does not " +
  "change that list.";
/**
 * Maximum length of the quoted explanation by the Email Service. The whole reply is cut to 1 KB.
 */
const QUOTED_CHARACTERS = 300;

export function withWayToLift(words: string): string {
  const own = words.slice(0, QUOTED_CHARACTERS).toWellFormed().trim();
  if (own === "") return LIFTED_THERE;
  return `${own}${/[.!?]$/.test(own) ? "" : "."} ${LIFTED_THERE}`;
}
