// Every kind of outcome of one message (docs/egress-protocol.md), as a scripted mail server causes
// it (vectors/smtp-outcomes.json). The gateway and the worker's courier `smtp` use the same SMTP
// client, so both run every case.
import { expect, it } from "vitest";
import vectors from "../../vectors/smtp-outcomes.json" with { type: "json" };
import type { FakeMx, Script } from "./fake-mx.ts";

/** The expected outcome, without the server's name. The detail of a failure is in lower case. */
type BareOutcome = Readonly<Record<string, unknown>>;

export type OutcomeCase = readonly [name: string, script: Script, expected: BareOutcome];

/**
 * Sends one message of `bytes` bytes to a mail server that replies as the script says. Returns the
 * outcome.
 */
export type OutcomeRunner = (
  script: Script,
  bytes?: number,
) => Promise<{ readonly mx: FakeMx; readonly outcome: BareOutcome }>;

export const reply = (code: number, stage: string, enhanced: string | null, text: string) => ({
  kind: "reply",
  code,
  enhanced,
  text,
  stage,
});
export const failure = (cause: string, detail: unknown) => ({ kind: "failure", cause, detail });

/** The dialogues of the vectors, and replies that are too long for that file. */
const SHARED: readonly OutcomeCase[] = [
  ...vectors.dialogues.map(({ name, server, outcome }): OutcomeCase => {
    const { detail_matches: pattern, ...exact } = outcome as BareOutcome;
    const detail = { detail: expect.stringMatching(new RegExp(String(pattern))) as unknown };
    return [name, server as Script, { ...exact, ...(pattern !== undefined && detail) }];
  }),
  ...[`550 ${"x".repeat(70_000)}`, "550-x\r\n".repeat(12_000)].map((rcpt): OutcomeCase => [
    `a reply of more than 64 KB, ${rcpt.includes("\n") ? "of many lines" : "of one line"}`,
    { rcpt },
    failure("other", "a reply of more than 64 kb (rcpt)"),
  ]),
];

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

  it("is the refusal when the server refuses a large message midway", async () => {
    const { outcome } = await run({ data: "354 go\r\n552 5.3.4 too big" }, 5_000_000);
    expect(outcome).toEqual(reply(552, "data", "5.3.4", "too big"));
  });

  it("has its reply cut to 1 KB of whole characters", async () => {
    const line = `5.7.1 ${"é".repeat(40)}`;
    const lines = Array.from({ length: 200 }, (_, at) => `550${at < 199 ? "-" : " "}${line}`);
    const text = String((await run({ end: lines.join("\r\n") })).outcome["text"]);
    expect(Buffer.byteLength(text)).toBeGreaterThan(1_000);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_024);
    expect(text).toMatch(/^[é ]+$/);
  });
}
