// Tests that the log has a limited number of rows in memory, and that later rows still reach chunks
// and webhooks in their order, also after restarts (src/ledger/log/event-log.ts).
import { runInDurableObject } from "cloudflare:test";
import { fc } from "../../../support/properties.ts";
import { expect, it } from "vitest";
import { createLedgerTable } from "../../../../src/ledger/ledger-table.ts";
import { EventLog } from "../../../../src/ledger/log/event-log.ts";
import { DAY_MS } from "../../../../src/limits.ts";
import { eventOf, messageOf, newLedger, NOON } from "../ledger-harness.ts";

const IN_MEMORY = 6;

const STEP = fc.oneof(
  fc.record({ kind: fc.constant("append" as const), rows: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ kind: fc.constantFrom("hand over" as const, "chunk" as const, "restart" as const) }),
);

it("rows that are only on disk are counted and found, and are handled after the earlier rows", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 25 }), async (steps) => {
      await runInDurableObject(newLedger(), (_, { storage: { sql } }) => {
        createLedgerTable(sql);
        let log = new EventLog(sql, IN_MEMORY);
        const [appended, chunked]: [string[], string[]] = [[], []];
        const handedOver = new Set<string>();
        const idsIn = (seq: number) => log.read(seq).map(({ message }) => message.emailId);
        const handOver = () => {
          for (const { seq } of log.undelivered) {
            for (const id of idsIn(seq)) handedOver.add(id);
            log.noteHandedOver(seq);
          }
        };
        const chunk = () => {
          const plan = log.nextChunks(NOON + 2 * DAY_MS);
          if (!plan) return;
          const rows = plan.chunks.flat();
          chunked.push(...rows.flatMap(({ seq }) => idsIn(seq)));
          log.noteChunk(plan.day, rows.at(-1)!.seq, 0, null);
        };
        const check = () => {
          const left = appended.filter((id) => !chunked.includes(id));
          expect(log.unpaged).toBe(left.length);
          expect(chunked).toEqual(appended.slice(0, chunked.length));
          for (const id of appended)
            expect([id, log.find(id) !== null]).toEqual([id, left.includes(id)]);
          const shown = log.recent.rows.flatMap(({ seq }) => idsIn(seq));
          expect(shown).toEqual(left.filter((id) => shown.includes(id)));
          expect(shown.at(-1)).toBe(left.at(-1));
        };
        for (const step of steps) {
          if (step.kind === "append")
            for (let row = 0; row < step.rows; row += 1) {
              const id = `email_${String(appended.length).padStart(4, "0")}_`;
              appended.push(id);
              log.append([{ message: messageOf(id), events: [eventOf(id, NOON)] }], [], NOON);
            }
          else if (step.kind === "hand over") handOver();
          else if (step.kind === "chunk") chunk();
          else log = new EventLog(sql, IN_MEMORY);
          check();
        }
        for (let turn = 0; turn <= appended.length; turn += 1) {
          handOver();
          chunk();
          log.sweep();
        }
        check();
        expect([...handedOver].toSorted()).toEqual(appended);
        expect([log.unpaged, log.hasUndelivered]).toEqual([0, false]);
      });
    }),
    { numRuns: 8 },
  );
});
