// Finds the addresses that begin with a text (contract.md §Recipients): suppressed addresses,
// recipients of open messages, and recipients in the most recent events.
import { suppressionsOf } from "../../../db/client.ts";
import type { Team } from "../../../endpoint.ts";
import type { Env } from "../../../env.ts";
import { DAY_MS, LONGEST_RETENTION_DAYS, RECIPIENTS_PER_SEARCH } from "../../../limits.ts";
import { reachLedger } from "../../../resources/team-settings/reach-ledger.ts";
import { positionOf } from "../../../resources/events/event-window.ts";
import { listEvents } from "../../../resources/events/history.ts";
import { completeSuppressed, listSuppressionsOf } from "../../../resources/suppressions/store.ts";
import { recipientsIn } from "./find-recipient.ts";
import type { RecipientList } from "./wire.ts";

const RECENT_EVENTS = 500;
const OPEN_MESSAGES = 50;

/**
 * Finds the addresses. `prefix` is the beginning of the addresses, trimmed and in lower case. An
 * empty prefix finds all addresses.
 */
export async function completeRecipients(
  env: Env,
  team: Team,
  prefix: string,
  now: number,
): Promise<RecipientList> {
  const scope = suppressionsOf(env, team);
  const start = now - LONGEST_RETENTION_DAYS * DAY_MS;
  const position = positionOf({ start }, null, team.eventRetentionDays, now);
  const quoted = JSON.stringify(prefix).slice(0, -1);
  const [suppressed, open, { events }] = await Promise.all([
    completeSuppressed(scope, prefix, RECIPIENTS_PER_SEARCH + 1, now),
    reachLedger(env, team, (ledger) => ledger.mentioning(quoted, OPEN_MESSAGES)),
    listEvents(env, team, {}, position, RECENT_EVENTS),
  ]);
  const others = [...open.flatMap(recipientsIn), ...events.map(({ recipient }) => recipient)]
    .map((address) => address.toLowerCase())
    .filter((address) => address.startsWith(prefix));
  const all = [...new Set([...suppressed, ...others])].toSorted();
  const found = all.slice(0, RECIPIENTS_PER_SEARCH);
  const inForce = new Set((await listSuppressionsOf(scope, found, now)).map(({ email }) => email));
  return {
    data: found.map((address) => ({ address, is_suppressed: inForce.has(address) })),
    has_more: all.length > found.length,
  };
}
