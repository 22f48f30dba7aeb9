// Every kind of outcome of one message (docs/egress-protocol.md), as a scripted mail server causes
// it. The gateway and the courier to a relay share the SMTP client, so both run every case.
import { expect, it } from "vitest";
import type { FakeMx, Script } from "./fake-mx.ts";

/** An outcome without its server, with a failure's detail in lower case. */
type BareOutcome = Readonly<Record<string, unknown>>;

export type OutcomeCase = readonly [name: string, script: Script, expected: BareOutcome];

/** Sends one message of `bytes` by a server that plays the script. */
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

const UNKNOWN_FATE = expect.stringMatching(/^unknown fate: /) as unknown;
const REFUSED = "550 5.1.1 no such user";
const REFUSAL = reply(550, "rcpt", "5.1.1", "no such user");
const silentAt = (verb: string): OutcomeCase => [
  `${verb} never answered`,
  { [verb]: { act: "hang" } },
  failure("other", `no answer in time (${verb})`),
];

const REPLIES: readonly OutcomeCase[] = [
  ["250 behind the final dot", {}, reply(250, "end", "2.0.0", "queued as 1")],
  ["a 4xx greeting", { greeting: "450 4.3.2 busy" }, reply(450, "connect", "4.3.2", "busy")],
  ["421 to EHLO", { ehlo: "421 4.3.0 later" }, reply(421, "helo", "4.3.0", "later")],
  ["5xx to MAIL", { mail: "550 5.1.8 who?" }, reply(550, "mail", "5.1.8", "who?")],
  ["4xx to MAIL", { mail: "451 4.3.0 later" }, reply(451, "mail", "4.3.0", "later")],
  ["5xx to RCPT", { rcpt: REFUSED }, REFUSAL],
  ["4xx to RCPT", { rcpt: "451 4.7.1 wait" }, reply(451, "rcpt", "4.7.1", "wait")],
  [
    "5xx to RCPT from a server that asks for the message all the same",
    { rcpt: REFUSED, data: "354 go" },
    REFUSAL,
  ],
  [
    "5xx to RCPT, and the connection dropped",
    { rcpt: { act: "say_and_drop", text: REFUSED } },
    REFUSAL,
  ],
  ["5xx to DATA", { data: "554 5.5.1 no" }, reply(554, "data", "5.5.1", "no")],
  ["4xx to DATA", { data: "451 4.3.0 later" }, reply(451, "data", "4.3.0", "later")],
  ["5xx to the message", { end: "554 5.7.1 spam" }, reply(554, "end", "5.7.1", "spam")],
  ["4xx to the message", { end: "452 4.2.2 full" }, reply(452, "end", "4.2.2", "full")],
  ...["mail", "rcpt", "end"].map((stage): OutcomeCase => [
    `421 at ${stage}`,
    { [stage]: { act: "say_and_drop", text: "421 4.7.0 go away" } },
    reply(421, stage, "4.7.0", "go away"),
  ]),
  [
    "a reply of many lines",
    { rcpt: "550-5.7.1 first\r\n550-5.7.1  second\r\n550 5.7.1 third" },
    reply(550, "rcpt", "5.7.1", "first second third"),
  ],
  ["a reply without text", { end: "250" }, reply(250, "end", null, "")],
  [
    "a reply with bare line feeds and control characters",
    { end: "250-2.0.0 a\u0007b\n250 2.0.0 ok" },
    reply(250, "end", "2.0.0", "a b ok"),
  ],
];

const FAILURES: readonly OutcomeCase[] = [
  [
    "a greeting that never comes",
    { greeting: { act: "hang" } },
    failure("connect", "no answer in time (greeting)"),
  ],
  [
    "a greeting that drips",
    { greeting: { act: "drip", text: "220-x\r\n", everyMs: 5 } },
    failure("connect", "no answer in time (greeting)"),
  ],
  [
    "a connection dropped before the greeting",
    { greeting: { act: "drop" } },
    failure("other", expect.stringMatching(/\(greeting\)$/)),
  ],
  ...["mail", "rcpt", "data"].map(silentAt),
  [
    "a connection dropped at RCPT",
    { rcpt: { act: "drop" } },
    failure("other", expect.stringMatching(/\(rcpt\)$/)),
  ],
  [
    "the message never answered",
    { end: { act: "hang" } },
    failure("other", "unknown fate: no answer in time after the final dot"),
  ],
  [
    "a connection dropped behind the final dot",
    { end: { act: "drop" } },
    failure("other", UNKNOWN_FATE),
  ],
  [
    "an answer to the message that drips",
    { end: { act: "drip", text: "250-x\r\n", everyMs: 5 } },
    failure("other", UNKNOWN_FATE),
  ],
  [
    "no SMTP at all",
    { greeting: "HTTP/1.1 400 Bad Request" },
    failure("other", "a line that is not an smtp reply (greeting)"),
  ],
  ["250 to DATA", { data: "250 2.0.0 sent" }, failure("other", "answered 250 out of turn (data)")],
  ["354 to MAIL", { mail: "354 go on" }, failure("other", "answered 354 out of turn (mail)")],
  [
    "250 before the message",
    { data: "354 go\r\n250 2.0.0 taken" },
    failure("other", "answered 250 out of turn (data)"),
  ],
  ...[`550 ${"x".repeat(70_000)}`, "550-x\r\n".repeat(12_000)].map((rcpt): OutcomeCase => [
    `a reply of more than 64 KB, ${rcpt.includes("\n") ? "of many lines" : "of one line"}`,
    { rcpt },
    failure("other", "a reply of more than 64 kb (rcpt)"),
  ]),
];

/** Runs every case with pipelining and without, as two answers to EHLO make it. */
export function testOutcomes(
  run: OutcomeRunner,
  own: readonly OutcomeCase[],
  [pipelining, oneByOne]: readonly [string, string],
): void {
  it.each([...REPLIES, ...FAILURES, ...own])("is %s", async (_name, script, expected) => {
    const runs = [pipelining, oneByOne].map((ehlo) => run({ ehlo, ...script }));
    for (const { mx, outcome } of await Promise.all(runs)) {
      expect(outcome).toEqual(expected);
      const { stage, detail } = outcome;
      const isSent = stage === "end" || String(detail).startsWith("unknown fate");
      expect(mx.messages).toHaveLength(isSent ? 1 : 0);
      if (outcome["kind"] === "failure") await expect.poll(mx.open).toBe(0);
    }
  });

  it("is a refusal of a large message midway", async () => {
    const { outcome } = await run({ data: "354 go\r\n552 5.3.4 too big" }, 5_000_000);
    expect(outcome).toEqual(reply(552, "data", "5.3.4", "too big"));
  });

  it("is folded to 1 KB of whole characters", async () => {
    const line = `5.7.1 ${"é".repeat(40)}`;
    const lines = Array.from({ length: 200 }, (_, at) => `550${at < 199 ? "-" : " "}${line}`);
    const text = String((await run({ end: lines.join("\r\n") })).outcome["text"]);
    expect(Buffer.byteLength(text)).toBeGreaterThan(1_000);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_024);
    expect(text).toMatch(/^[é ]+$/);
  });
}
