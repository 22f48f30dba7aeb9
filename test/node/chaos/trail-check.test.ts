// Tests the check of a round's trail (tools/chaos/trail/check-trail.ts): it finds a change without
// an entry, and an entry without a change.
import { describe, expect, it } from "vitest";
import { compareEntries, type TrailFacts } from "../../../tools/chaos/trail/check-trail.ts";
import type { EntryFact } from "../../../tools/chaos/worker/stored-entries.ts";
import { MESSAGE } from "./round-facts.ts";

const CHANGE = { operation: "template.publish", target: "template_1", requestId: "req_1" };

function entry(changes: Partial<EntryFact> = {}): EntryFact {
  return { id: "audit_1", actorKind: "key", ...CHANGE, ...changes };
}

const facts = (changes: Partial<TrailFacts>): TrailFacts => ({
  made: [CHANGE],
  entries: [entry()],
  imports: new Set(),
  sent: [],
  ...changes,
});
const moved = (what: string) => ({ ...MESSAGE, log: [{ at: 0, what }] });
const MOVE = entry({ operation: "email.move", target: "email_1" });
const IMPORT = entry({ operation: "suppression.import", target: "imp_1" });

describe("the check of the trail", () => {
  it.each<[string, Partial<TrailFacts>]>([
    ["an entry of each change", {}],
    ["a change whose answer was lost", { made: [{ ...CHANGE, requestId: null }] }],
    ["entries of the operator", { entries: [entry(), entry({ actorKind: "operator" })] }],
    [
      "an import whose answer was lost",
      { entries: [entry(), IMPORT], imports: new Set(["imp_1"]) },
    ],
    ["a move whose answer was lost", { sent: [moved("again: PATCH 500 x")] }],
    [
      "a move that was made, and its answer lost",
      { sent: [moved("again: PATCH 500 x")], entries: [entry(), MOVE] },
    ],
  ])("finds nothing wrong in %s", (_, changes) => {
    expect(compareEntries(facts(changes))).toEqual([]);
  });

  it.each<[string, Partial<TrailFacts>, string]>([
    ["a change without an entry", { entries: [] }, "0 of 1"],
    ["a change with two entries", { entries: [entry(), entry()] }, "2 for 1"],
    ["an entry of a change that no client made", { made: [] }, "an entry without a change"],
    ["another request's entry", { entries: [entry({ requestId: "req_2" })] }, "no entry names"],
    ["an entry of an import that is not there", { entries: [entry(), IMPORT] }, "imp_1"],
    ["a canceled message without an entry", { sent: [{ ...MESSAGE, isCanceled: true }] }, "0 of 1"],
    ["a moved message without an entry", { sent: [moved("answered: PATCH 200 {}")] }, "0 of 1"],
    ["a move that no client made", { entries: [entry(), MOVE] }, "email.move of email_1"],
  ])("finds %s", (_, changes, words) => {
    const details = compareEntries(facts(changes)).map(({ detail }) => detail);
    expect(details.length).toBeGreaterThan(0);
    expect(details[0]).toContain(words);
  });
});
