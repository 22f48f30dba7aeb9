// Every kind of outcome of one message (docs/egress-protocol.md), as a scripted mail server causes
// it (vectors/smtp-outcomes.json). The gateway and the worker's courier `smtp` use the same SMTP
// client, so both run every case.
import { expect, it } from "vitest";
import vectors from "../../vectors/smtp-outcomes.json" with { type: "json" };
import type { FakeMx, Script } from "./fake-mx.ts";

/** The expected outcome, without the server's name. The detail of a failure is in lower case. */
type BareOutcome = Readonly<Record<string, unknown>>;

type OutcomeCase = readonly [name: string, script: Script, expected: BareOutcome];

/** Sends one message to a mail server that replies as the script says. Returns the outcome. */
export type OutcomeRunner = (
  script: Script,
) => Promise<{ readonly mx: FakeMx; readonly outcome: BareOutcome }>;

export const reply = (code: number, stage: string, enhanced: string | null, text: string) => ({
  kind: "reply",
  code,
  enhanced,
  text,
  stage,
});
export const failure = (cause: string, detail: unknown) => ({ kind: "failure", cause, detail });

const SHARED = vectors.dialogues.map(({ name, server, outcome }): OutcomeCase => {
  const { detail_matches: pattern, ...exact } = outcome as BareOutcome;
  const detail = { detail: expect.stringMatching(new RegExp(String(pattern))) as unknown };
  return [name, server as Script, { ...exact, ...(pattern !== undefined && detail) }];
});

/** Runs every case twice: with and without PIPELINING in the server's answer to EHLO. */
export function testOutcomes(
  run: OutcomeRunner,
  own: readonly OutcomeCase[],
  [pipelining, oneByOne]: readonly [string, string],
): void {
  it.each([...SHARED, ...own])("is %s", async (_name, script, expected) => {
    const runs = [pipelining, oneByOne].map((ehlo) => run({ ehlo, ...script }));
    for (const { mx, outcome } of await Promise.all(runs)) {
      expect(outcome).toEqual(expected);
      const { stage, detail } = outcome;
      const isSent = stage === "end" || String(detail).startsWith("unknown fate");
      expect(mx.messages).toHaveLength(isSent ? 1 : 0);
      if (outcome["kind"] === "failure") await expect.poll(mx.open).toBe(0);
    }
  });
}
