// Words the bounce of a recipient whom the Email Service itself suppresses (docs/couriers.md). The
// Email Service has its own list, and lifting the team's suppression does not change that list. So
// the reply says where to lift it. Pure.

const LIFTED_THERE =
  "This address is on the suppression list of the Cloudflare account that sends the mail. " +
  "Its operator lifts it in Cloudflare's dashboard, under Compute > Email Service > " +
  "Email Sending > Suppressions; a suppression lifted here does not lift it there.";
/** Characters of the service's own words. A reply is cut to 1 KB. */
const QUOTED_CHARACTERS = 300;

export function withWayToLift(words: string): string {
  const own = words.slice(0, QUOTED_CHARACTERS).toWellFormed().trim();
  if (own === "") return LIFTED_THERE;
  return `${own}${/[.!?]$/.test(own) ? "" : "."} ${LIFTED_THERE}`;
}
