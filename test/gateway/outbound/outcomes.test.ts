// Every kind of outcome (docs/egress-protocol.md), as a scripted mail server causes it.
import { afterEach, describe, expect, it } from "vitest";
import { fakeMx, type FakeMx, type Script } from "../fake-mx.ts";
import { deliverOne, gateway, type OutcomeLine } from "../gateway-harness.ts";

const PLAIN_EHLO = "250-mx.test\r\n250 8BITMIME";
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of cleanups.splice(0)) await close();
});

async function against(script: Script): Promise<{ line: OutcomeLine; mx: FakeMx }> {
  const mx = await fakeMx(script);
  const { port, drain } = await gateway(mx.port);
  cleanups.push(drain, mx.close);
  return { line: await deliverOne(port, { key: "k" }), mx };
}

describe("a reply of a mail server", () => {
  const reply = (code: number, stage: string, enhanced: string | null, text: string) => ({
    key: "k",
    kind: "reply",
    code,
    enhanced,
    text,
    stage,
    mx_host: "127.0.0.1",
    tls: null,
  });

  it.each<[string, Script, object]>([
    ["250 behind the final dot", {}, reply(250, "end", "2.0.0", "queued as 1")],
    ["a 4xx greeting", { greeting: "450 4.3.2 busy" }, reply(450, "connect", "4.3.2", "busy")],
    [
      "a 5xx greeting",
      { greeting: "554 5.7.1 blocked" },
      reply(554, "connect", "5.7.1", "blocked"),
    ],
    ["421 to EHLO", { ehlo: "421 4.3.0 later" }, reply(421, "helo", "4.3.0", "later")],
    [
      "5xx to EHLO and to HELO",
      { ehlo: "502 no", helo: "550 no service" },
      reply(550, "helo", null, "no service"),
    ],
    ["5xx to MAIL", { mail: "550 5.1.8 who are you" }, reply(550, "mail", "5.1.8", "who are you")],
    [
      "5xx to RCPT",
      { rcpt: "550 5.1.1 no such user" },
      reply(550, "rcpt", "5.1.1", "no such user"),
    ],
    ["4xx to RCPT", { rcpt: "451 4.7.1 greylisted" }, reply(451, "rcpt", "4.7.1", "greylisted")],
    [
      "5xx to RCPT from a server that asks for the message all the same",
      { rcpt: "550 5.1.1 no", data: "354 go" },
      reply(550, "rcpt", "5.1.1", "no"),
    ],
    ["5xx to DATA", { data: "554 5.5.1 no" }, reply(554, "data", "5.5.1", "no")],
    ["5xx to the message", { end: "554 5.7.1 spam" }, reply(554, "end", "5.7.1", "spam")],
    ["4xx to the message", { end: "452 4.2.2 full" }, reply(452, "end", "4.2.2", "full")],
    [
      "421 to MAIL",
      { mail: { act: "say_and_drop", text: "421 4.7.0 too many" } },
      reply(421, "mail", "4.7.0", "too many"),
    ],
    [
      "421 to RCPT",
      { rcpt: { act: "say_and_drop", text: "421 4.7.0 go away" } },
      reply(421, "rcpt", "4.7.0", "go away"),
    ],
    [
      "421 to the message",
      { end: { act: "say_and_drop", text: "421 4.7.0 go away" } },
      reply(421, "end", "4.7.0", "go away"),
    ],
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
  ])("is the outcome, with its stage: %s", async (_name, script, expected) => {
    expect((await against(script)).line).toEqual(expected);
    expect((await against({ ehlo: PLAIN_EHLO, ...script })).line).toEqual(expected);
  });
});

describe("a session that ends without a deciding reply", () => {
  const failed = (cause: string, detail: unknown) => ({
    key: "k",
    kind: "failure",
    cause,
    detail,
    mx_host: "127.0.0.1",
  });

  it.each<[string, Script, object]>([
    [
      "a greeting that never comes",
      { greeting: { act: "hang" } },
      failed("connect", "no answer in time (greeting)"),
    ],
    [
      "a greeting that drips",
      { greeting: { act: "drip", text: "220-x\r\n", everyMs: 5 } },
      failed("connect", "no answer in time (greeting)"),
    ],
    [
      "a connection dropped before the greeting",
      { greeting: { act: "drop" } },
      failed("other", expect.stringContaining("(greeting)")),
    ],
    ["EHLO never answered", { ehlo: { act: "hang" } }, failed("other", "no answer in time (EHLO)")],
    ["MAIL never answered", { mail: { act: "hang" } }, failed("other", "no answer in time (MAIL)")],
    ["RCPT never answered", { rcpt: { act: "hang" } }, failed("other", "no answer in time (RCPT)")],
    ["DATA never answered", { data: { act: "hang" } }, failed("other", "no answer in time (DATA)")],
    [
      "a connection dropped at RCPT",
      { rcpt: { act: "drop" } },
      failed("other", expect.stringContaining("(RCPT)")),
    ],
    [
      "the message never answered",
      { end: { act: "hang" } },
      failed("other", "unknown fate: no answer in time after the final dot"),
    ],
    [
      "a connection dropped behind the final dot",
      { end: { act: "drop" } },
      failed("other", expect.stringMatching(/^unknown fate: /)),
    ],
    [
      "an answer to the message that drips",
      { end: { act: "drip", text: "250-x\r\n", everyMs: 5 } },
      failed("other", expect.stringMatching(/^unknown fate: /)),
    ],
    [
      "no SMTP at all",
      { greeting: "HTTP/1.1 400 Bad Request" },
      failed("other", "a line that is not an SMTP reply (greeting)"),
    ],
    [
      "250 to DATA",
      { data: "250 2.0.0 delivered, honestly" },
      failed("other", "answered 250 out of turn (DATA)"),
    ],
    ["354 to MAIL", { mail: "354 go on" }, failed("other", "answered 354 out of turn (MAIL)")],
    [
      "250 before the message",
      { data: "354 go\r\n250 2.0.0 taken" },
      failed("other", "answered 250 out of turn (DATA)"),
    ],
  ])("is a failure: %s", async (_name, script, expected) => {
    expect((await against(script)).line).toEqual(expected);
    expect((await against({ ehlo: PLAIN_EHLO, ...script })).line).toEqual(expected);
  });

  it("is a failure to connect when the server refuses the connection", async () => {
    const mx = await fakeMx();
    await mx.close();
    const { port, drain } = await gateway(mx.port);
    cleanups.push(drain);
    expect(await deliverOne(port, { key: "k" })).toEqual(
      failed("connect", "connecting: ECONNREFUSED"),
    );
  });

  it("keeps the refusal when the connection is dropped after it", async () => {
    const { line } = await against({
      rcpt: { act: "say_and_drop", text: "550 5.1.1 no such user" },
    });
    expect(line).toMatchObject({ kind: "reply", code: 550, stage: "rcpt" });
  });

  it("sends no message to a server that refused its recipient and answers 354", async () => {
    const { line, mx } = await against({ rcpt: "550 5.1.1 no", data: "354 give it to me" });
    expect(line).toMatchObject({ code: 550, stage: "rcpt" });
    expect(mx.messages).toEqual([]);
  });

  it("ends with the reply of a server that refuses a large message midway", async () => {
    const mx = await fakeMx({ data: "354 go\r\n552 5.3.4 too big" });
    const { port, drain } = await gateway(mx.port);
    cleanups.push(drain, mx.close);
    expect(await deliverOne(port, { key: "k", message: "x".repeat(5_000_000) })).toMatchObject({
      kind: "reply",
      code: 552,
      stage: "data",
    });
  });
});

describe("a reply of any size", () => {
  it("is folded to 1 KB of whole characters", async () => {
    const { line } = await against({
      end: Array.from(
        { length: 200 },
        (_, at) => `550${at < 199 ? "-" : " "}5.7.1 ${"é".repeat(40)}`,
      ).join("\r\n"),
    });
    expect(line).toMatchObject({ kind: "reply", code: 550, enhanced: "5.7.1" });
    const text = line.kind === "reply" ? line.text : "";
    expect(Buffer.byteLength(text)).toBeGreaterThan(1000);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024);
    expect(text).toMatch(/^[é ]+$/);
  });

  it.each([
    ["of one endless line", `550 ${"x".repeat(70_000)}`],
    ["of endless lines", "550-x\r\n".repeat(12_000)],
  ])("is a failure when it is over 64 KB: %s", async (_name, text) => {
    const { line, mx } = await against({ rcpt: text });
    expect(line).toMatchObject({
      kind: "failure",
      cause: "other",
      detail: "a reply of more than 64 KB (RCPT)",
    });
    expect(mx.messages).toEqual([]);
  });
});
