// Finds the Email Service's ids that the worker's event history names, for the check of second
// copies.
import type { EventFact, MailFact } from "../recorded-facts.ts";

/** Finds the messages that arrived more than once, and reads the ids that their history names. */
export async function readNotedIds(
  team: { notedIds(emailId: string): Promise<string[]> },
  events: readonly EventFact[],
  mail: readonly MailFact[],
): Promise<ReadonlySet<string>> {
  const arrivals = Map.groupBy(
    mail.filter(({ what }) => what === "taken"),
    ({ to, subject }) => `${to} ${subject}`,
  );
  const twice = events.filter(
    ({ recipient, subject }) => (arrivals.get(`${recipient} ${subject}`)?.length ?? 0) > 1,
  );
  const ids = new Set(twice.map(({ email_id: id }) => id));
  return new Set((await Promise.all([...ids].map((id) => team.notedIds(id)))).flat());
}
