// Tests how many rows of its table a ledger writes for a message, because Cloudflare bills them
// (docs/storage.md §Open messages): a delivery writes two rows, and a message that rests more.
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { CoreFacts } from "../../../../src/ledger/core-facts.ts";
import { TeamLog } from "../../../../src/ledger/log/team-log.ts";
import { claimJobs } from "../../../../src/ledger/settle/claims.ts";
import { settleAttempts } from "../../../../src/ledger/settle/settlements.ts";
import { boundsFor, Subjects } from "../../../../src/ledger/ledger-state.ts";
import type { Settlement } from "../../../../src/rpc/ledger-calls.ts";
import {
  candidate,
  eventOf,
  messageOf,
  newLedger,
  NOON,
  refs,
  setClock,
} from "../ledger-harness.ts";

const MINUTE = 60_000;
const ID = "email_a";

type Outcome = Pick<Settlement, "nextAttemptAt" | "awaits" | "verdict">;

const DELIVERED = { nextAttemptAt: null };
const DEFERRED = (at: number): Outcome => ({ nextAttemptAt: at });
const TAKEN = { nextAttemptAt: null, awaits: { until: NOON + 72 * 60 * MINUTE, lastReply: null } };
const REPORTED = { nextAttemptAt: null, verdict: { eventId: null } };

/** Accepts a message and applies outcomes, a minute apart. Returns the rows that each step wrote. */
async function rowsOf(isGateway: boolean, outcomes: readonly Outcome[]): Promise<number[]> {
  setClock(NOON);
  return runInDurableObject(newLedger(), (_, { storage: { sql } }) => {
    let rows = 0;
    const exec = (query: string, ...values: unknown[]) => {
      const cursor = sql.exec(query, ...(values as SqlStorageValue[]));
      const isCounted = /^\s*(?:INSERT INTO|UPDATE|DELETE FROM) ledger /.test(query);
      if (isCounted) rows += cursor.rowsWritten;
      return cursor;
    };
    const dependencies = { teamId: "team_1", speedup: 1, noteAppended: () => undefined };
    const facts = new CoreFacts("team_1", fail);
    const unused = { env: fail, facts, write: fail, scheduleWake: fail };
    const subjects = new Subjects(
      { exec } as unknown as SqlStorage,
      "team_1",
      new TeamLog({ ...dependencies, ...unused }),
      boundsFor({ retrySpeedup: 1, leaseSpeedup: 1 } as never),
    );
    const steps = [
      () => subjects.releases.accept([candidate({ id: ID })], new Map(), 600, NOON),
      ...outcomes.map((outcome, place) => () => {
        const now = NOON + place * MINUTE;
        setClock(now);
        subjects.round(now);
        const attempt = outcome.verdict ? 1 : place + 1;
        const { grants } = claimJobs(subjects.open, refs(ID), now, !isGateway, 0);
        expect(grants).toHaveLength(outcome.verdict ? 0 : 1);
        const events = [eventOf(ID, now, { attempt })];
        const settlement = { emailId: ID, recipientIndex: 0, attempt, events, ...outcome };
        settleAttempts(subjects, [settlement], { [ID]: messageOf(ID) }, now);
      }),
    ];
    return steps.map((step) => {
      rows = 0;
      step();
      return rows;
    });
  });
}

function fail(): never {
  throw new Error("the test hands no events over");
}

it.each([
  ["delivered at its first attempt", true, [DELIVERED], [1, 1]],
  [
    "deferred twice",
    true,
    [DEFERRED(NOON + MINUTE), DEFERRED(NOON + 2 * MINUTE), DELIVERED],
    [1, 4, 4, 1],
  ],
  ["taken by a provider that reports its outcome", false, [TAKEN, REPORTED], [1, 5, 1]],
] as const)(
  "a message that is %s costs the expected number of rows",
  async (_, isGateway, outcomes, rows) => {
    expect(await rowsOf(isGateway, outcomes)).toEqual(rows);
  },
);
