// Checks that the audit trail has exactly one entry for each change of a round, and no other entry
// (docs/audit.md). Pure.
import type { Violation } from "../check/check.ts";
import type { SentMessage } from "../clients.ts";
import type { EntryFact } from "../worker/stored-entries.ts";
import type { MadeChange } from "./change-maker.ts";

export interface TrailFacts {
  readonly made: readonly MadeChange[];
  readonly entries: readonly EntryFact[];
  /** The ids of the imports that entries name and that exist. */
  readonly imports: ReadonlySet<string>;
  readonly sent: readonly SentMessage[];
}

/** The smallest and the largest allowed number of entries of one operation on one target. */
interface Expected {
  least: number;
  most: number;
}

const RULE = "trail";
const IMPORT = "suppression.import";
/** The kinds of actors that make changes outside the round's clients. */
const OTHERS = new Set(["operator", "service"]);

export function compareEntries(facts: TrailFacts): Violation[] {
  const entries = facts.entries.filter(({ actorKind }) => !OTHERS.has(actorKind));
  const expected = expectedOf(facts);
  const counts = Map.groupBy(entries, nameOf);
  const wrong = [...new Set([...expected.keys(), ...counts.keys()])].flatMap((name) => {
    const count = counts.get(name)?.length ?? 0;
    const { least, most } = expected.get(name) ?? { least: 0, most: 0 };
    if (count < least) return [`a change without an entry: ${name}, ${count} of ${least}`];
    return count > most ? [`an entry without a change: ${name}, ${count} for ${most}`] : [];
  });
  const requests = new Set(entries.map(({ requestId }) => requestId));
  const unnamed = facts.made.flatMap((change) =>
    change.requestId === null || requests.has(change.requestId)
      ? []
      : [`no entry names the request ${change.requestId} that made ${nameOf(change)}`],
  );
  return [...wrong, ...unnamed].map((detail) => ({ rule: RULE, token: null, detail }));
}

function expectedOf({ made, imports, sent }: TrailFacts): Map<string, Expected> {
  const expected = new Map<string, Expected>();
  const add = (operation: string, target: string, least: number, most: number): void => {
    const one = expected.get(nameOf({ operation, target })) ?? { least: 0, most: 0 };
    one.least += least;
    one.most += most;
    expected.set(nameOf({ operation, target }), one);
  };
  for (const { operation, target } of made) add(operation, target, 1, 1);
  const known = new Set(made.map(({ target }) => target));
  for (const id of imports) if (!known.has(id)) add(IMPORT, id, 1, 1);
  for (const message of sent) addSchedule(message, add);
  return expected;
}

/**
 * A move whose answer was lost may have an entry, because the service may have moved the message
 * before its release.
 */
function addSchedule(
  { emailId, isCanceled, log }: SentMessage,
  add: (operation: string, target: string, least: number, most: number) => void,
): void {
  if (emailId === null) return;
  if (isCanceled) add("email.cancel", emailId, 1, 1);
  const moves = log.filter(({ what }) => what.includes(": PATCH "));
  if (moves.length > 0)
    add("email.move", emailId, Number(moves.some(({ what }) => / PATCH 200/.test(what))), 1);
}

function nameOf({ operation, target }: Pick<EntryFact, "operation" | "target">): string {
  return `${operation} of ${target ?? "the team"}`;
}
