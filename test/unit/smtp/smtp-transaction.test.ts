// Tests one transaction (smtp-gateway/src/smtp/smtp-transaction.ts): the stage of each refusal,
// with and without pipelining, and the outcome when the connection is lost.
import { Buffer } from "node:buffer";
import { describe, expect, it, vi } from "vitest";
import { NO_CAPABILITIES } from "../../../smtp-gateway/src/smtp/smtp-connection.ts";
import { OneByOneServers } from "../../../smtp-gateway/src/smtp/one-by-one-servers.ts";
import {
  isDecisiveReply,
  runTransaction,
  type TransactionResult,
} from "../../../smtp-gateway/src/smtp/smtp-transaction.ts";
import { connect, TIMEOUTS } from "./scripted-transport.ts";

type Verb = "RSET" | "MAIL" | "RCPT" | "DATA" | "end";
type Replies = Partial<Record<Verb, string | Error>>;

const ACCEPTED: Record<Verb, string> = {
  RSET: "250 reset",
  MAIL: "250 sender",
  RCPT: "250 recipient",
  DATA: "354 go",
  end: "250 queued",
};
const MESSAGE = {
  mailFrom: "a@example.test",
  rcptTo: "b@example.net",
  bytes: Buffer.from("Subject: x\r\n\r\nhello\r\n"),
  isConverted: true,
};
const WAYS = [
  ["pipelined", true],
  ["one by one", false],
] as const;

/** A server that replies to each SMTP command as `replies` says. An Error closes the connection. */
function server(replies: Replies, pipelining: boolean) {
  const { connection, transport } = connect((written) => {
    const verbs = written.endsWith("\r\n.\r\n") ? ["end"] : written.match(/^[A-Z]{4}/gm);
    const answers = (verbs ?? []).map((verb) => replies[verb as Verb] ?? ACCEPTED[verb as Verb]);
    const error = answers.find((answer) => answer instanceof Error);
    const before = error ? answers.slice(0, answers.indexOf(error)) : answers;
    if (before.length > 0)
      transport.serve(before.map((answer) => `${String(answer)}\r\n`).join(""));
    return error ?? null;
  });
  connection.capabilities = { ...NO_CAPABILITIES, pipelining };
  return { connection, transport, run: () => runTransaction(connection, MESSAGE, TIMEOUTS) };
}

describe.each(WAYS)("a transaction, %s,", (_way, pipelining) => {
  it("hands the message over and can be followed by another", async () => {
    const { run, transport } = server({}, pipelining);
    const answered = { kind: "answered", stage: "end", reply: { code: 250 }, reusable: true };
    for (let count = 0; count < 2; count += 1) expect(await run()).toMatchObject(answered);
    const envelope = ["MAIL FROM:<a@example.test>", "RCPT TO:<b@example.net>", "DATA"];
    const lines = envelope.map((line) => `${line}\r\n`);
    expect(transport.written.slice(0, pipelining ? 1 : 3)).toEqual(
      pipelining ? [lines.join("")] : lines,
    );
    expect(transport.written.join("")).not.toContain("RSET");
  });

  it.each<[stage: string, replies: Replies, code: number]>([
    ["mail", { MAIL: "550 no", RCPT: "503 bad sequence", DATA: "503 bad sequence" }, 550],
    ["mail", { MAIL: "451 later", RCPT: "503 bad sequence", DATA: "503 bad sequence" }, 451],
    ["rcpt", { RCPT: "550 unknown", DATA: "503 no recipient" }, 550],
    ["data", { DATA: "554 no" }, 554],
    ["end", { end: "554 spam" }, 554],
    ["end", { end: "452 full" }, 452],
  ])("is refused at %s and leaves the connection usable: %j", async (stage, replies, code) => {
    const { run, transport, connection } = server(replies, pipelining);
    expect(await run()).toMatchObject({ kind: "answered", stage, reply: { code }, reusable: true });
    expect(connection.lost).toBe(false);
    const before = transport.written.length;
    await run();
    expect(transport.written.slice(before).join("").startsWith("RSET\r\n")).toBe(true);
  });

  it.each<[stage: "mail" | "rcpt" | "data" | "end", replies: Replies, isDecision: boolean]>([
    ["mail", { MAIL: "421 too many" }, true],
    ["rcpt", { RCPT: "421 too many", DATA: "503 no" }, true],
    ["end", { end: "421 leaving" }, true],
    ["mail", { MAIL: "354 go on" }, false],
    ["data", { DATA: "250 delivered" }, false],
    ["end", { end: "354 go on" }, false],
  ])("leaves the connection after a reply at %s: %j", async (stage, replies, isDecision) => {
    const result = await server(replies, pipelining).run();
    expect(result).toMatchObject({ kind: "answered", stage, reusable: false });
    expect(result.kind === "answered" && isDecisiveReply(stage, result.reply)).toBe(isDecision);
  });

  it.each<[string, Replies, object | null]>([
    ["the connection is lost at MAIL", { MAIL: new Error("ECONNRESET") }, null],
    ["MAIL is answered 421", { MAIL: "421 too old" }, null],
    ["MAIL is refused for good", { MAIL: "503 nested", DATA: "503 no" }, { stage: "mail" }],
    ["MAIL is refused for now", { MAIL: "452 one a connection" }, { stage: "mail" }],
    ["MAIL is answered out of turn", { MAIL: "354 go on" }, { stage: "mail" }],
    ["RCPT is out of order", { RCPT: "503 MAIL first", DATA: "503 no" }, { stage: "rcpt" }],
    ["DATA is out of order", { DATA: "503 RCPT first" }, { stage: "data" }],
  ])("asks for a fresh connection if, on a used one, %s", async (_when, replies, refused) => {
    const answers: Replies = {};
    const { run, transport } = server(answers, pipelining);
    await run();
    Object.assign(answers, replies);
    expect(await run()).toEqual({ kind: "stale", refused: refused && { ...refused, after: 1 } });
    expect(transport.written.filter((text) => text.endsWith("\r\n.\r\n"))).toHaveLength(1);
  });

  it.each<[string, Partial<typeof MESSAGE>, Replies, kind: string]>([
    ["the same refusal of another address", { mailFrom: "c@example.test" }, {}, "answered"],
    ["the same refusal of another domain", { mailFrom: "a@other.test" }, {}, "stale"],
    ["the same refusal of the null sender", { mailFrom: "" }, {}, "stale"],
    ["another code", {}, { MAIL: "554 5.7.1 no" }, "stale"],
    ["another enhanced code", {}, { MAIL: "550 5.5.1 no" }, "stale"],
  ])(
    "asks for a fresh connection after a refused sender, except for the same refusal of the same domain: %s",
    async (_what, change, replies, kind) => {
      const answers: Replies = { MAIL: "550 5.7.1 no", RCPT: "503 no", DATA: "503 no" };
      const { run, connection } = server(answers, pipelining);
      expect(await run()).toMatchObject({ kind: "answered", stage: "mail" });
      Object.assign(answers, replies);
      const message = { ...MESSAGE, ...change };
      expect(await runTransaction(connection, message, TIMEOUTS)).toMatchObject({ kind });
    },
  );

  it("asks for a fresh connection when RSET is refused", async () => {
    const replies = { RCPT: "550 unknown", DATA: "503 no recipient", RSET: "500 what" };
    const { run, connection } = server(replies, pipelining);
    await run();
    expect(await run()).toEqual({ kind: "stale", refused: null });
    // The server may still wait for the message, and would then read QUIT as text of the message.
    expect(connection.lost).toBe(true);
  });

  it("asks for a fresh connection when a reply came that no command asked for", async () => {
    const { run, connection } = server({ end: "250 queued\r\n250 again" }, pipelining);
    await run();
    expect(await run()).toEqual({ kind: "stale", refused: null });
    expect(connection.lost).toBe(true);
  });
});

describe("a pipelined transaction", () => {
  it.each([
    ["sender", { MAIL: "550 no" }, "mail"],
    ["recipient", { RCPT: "550 unknown" }, "rcpt"],
  ])(
    "closes a connection whose server wants the message of a refused %s",
    async (_of, replies, stage) => {
      const { run, connection, transport } = server(replies, true);
      expect(await run()).toMatchObject({ stage, reply: { code: 550 }, reusable: false });
      expect(connection.lost).toBe(true);
      expect(transport.written).toHaveLength(1);
    },
  );
});

describe("a server that announces PIPELINING and reads one command", () => {
  const silent = (first: string) => {
    const { connection, transport } = connect((written) =>
      written.startsWith("MAIL") ? `${first}\r\n` : null,
    );
    connection.capabilities = { ...NO_CAPABILITIES, pipelining: true };
    return { connection, transport, run: () => runTransaction(connection, MESSAGE, TIMEOUTS) };
  };

  it.each<[what: string, run: () => Promise<TransactionResult>]>([
    ["is silent after MAIL", () => silent("250 sender").run()],
    ["takes the commands as one", () => silent("501 syntax").run()],
    ["is silent after RCPT", () => silent("250 sender\r\n250 recipient").run()],
    ["drops the connection at RCPT", () => server({ RCPT: new Error("EPIPE") }, true).run()],
    ["drops the connection at DATA", () => server({ DATA: new Error("EPIPE") }, true).run()],
    ["says so at DATA", () => server({ DATA: "503 5.5.0 Improper use of pipelining" }, true).run()],
    ["says so at MAIL", () => server({ MAIL: "554 SMTP synchronization error" }, true).run()],
  ])("gets the message again, one command at a time, if it %s", async (_what, run) => {
    expect(await run()).toEqual({ kind: "unread" });
  });

  it("gets one command at a time over the next connections, for ten minutes", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const servers = new OneByOneServers();
    const flight = async () => {
      const { connection, transport, run } = server({}, true);
      servers.prepare(connection, { host: "mx.test", port: 25 });
      expect(await run()).toMatchObject({ kind: "answered", stage: "end" });
      return transport.written[0]?.split("\r\n").length;
    };
    servers.remember({ host: "mx.test", port: 26 });
    expect(await flight()).toBe(4);
    servers.remember({ host: "mx.test", port: 25 });
    expect(await flight()).toBe(2);
    vi.advanceTimersByTime(10 * 60_000);
    expect(await flight()).toBe(4);
  });
});

describe("the MAIL command", () => {
  const commandFor = async (change: Partial<typeof MESSAGE>, offered: object) => {
    const { connection, transport } = server({}, false);
    connection.capabilities = { ...NO_CAPABILITIES, ...offered };
    const result = await runTransaction(connection, { ...MESSAGE, ...change }, TIMEOUTS);
    if (result.kind !== "unsupported") return transport.written[0];
    expect(transport.written).toEqual([]);
    return `${result.reply.code} ${result.reply.lines.join()}`;
  };
  const ALL_BUT_SIZE = { eightBitMime: true, smtpUtf8: true };
  const ALL = { size: true, ...ALL_BUT_SIZE };
  const EIGHT_BIT = Buffer.from("Subject: x\r\n\r\né\r\n");
  const UTF8_HEADER = { bytes: Buffer.from("From: jörg@example.test\r\n\r\nx\r\n") };
  const UTF8_RCPT = { rcptTo: "jürgen@example.net" };

  const NO_UTF8 = "553 5.6.7 The server takes no addresses beyond ASCII (SMTPUTF8)";
  const NO_UTF8_HEADER = "554 5.6.9 The server takes no headers beyond ASCII (SMTPUTF8)";
  const NO_8BIT = "554 5.6.3 The server takes no 8-bit parts (8BITMIME)";
  const PLAIN = "MAIL FROM:<a@example.test>";

  it.each<[string, Partial<typeof MESSAGE>, object, string]>([
    ["has no parameters where none is offered", {}, {}, PLAIN],
    ["has SIZE", {}, ALL, `${PLAIN} SIZE=21`],
    ["has BODY", { bytes: EIGHT_BIT }, ALL, `${PLAIN} SIZE=18 BODY=8BITMIME`],
    ["has SMTPUTF8 for an address", UTF8_RCPT, ALL_BUT_SIZE, `${PLAIN} BODY=8BITMIME SMTPUTF8`],
    ["has SMTPUTF8 for a header", UTF8_HEADER, { smtpUtf8: true }, `${PLAIN} SMTPUTF8`],
    ["is not sent without SMTPUTF8 for a recipient", UTF8_RCPT, {}, NO_UTF8],
    ["is not sent without SMTPUTF8 for a sender", { mailFrom: "jürgen@example.test" }, {}, NO_UTF8],
    ["is not sent without SMTPUTF8 for a header", UTF8_HEADER, {}, NO_UTF8_HEADER],
    ["is not sent without 8BITMIME for a part", { bytes: EIGHT_BIT }, { smtpUtf8: true }, NO_8BIT],
    ["is plain for an earlier worker", { bytes: EIGHT_BIT, isConverted: false }, {}, PLAIN],
  ])("%s", async (_what, change, offered, expected) => {
    const isRefusal = /^\d/.test(expected);
    expect(await commandFor(change, offered)).toBe(isRefusal ? expected : `${expected}\r\n`);
  });
});

describe("a large message", () => {
  const bytes = Buffer.from("x".repeat(998).concat("\r\n").repeat(300));

  it("waits for the server to take each block", async () => {
    const { connection, transport } = server({}, true);
    const running = runTransaction(connection, { ...MESSAGE, bytes }, TIMEOUTS);
    transport.isTaking = false;
    const why = "the server stopped reading";
    expect(await running).toEqual({ kind: "broken", stage: "data", why });
    expect(transport.written).toHaveLength(2);
  });

  it("ends at an early refusal", async () => {
    const { connection, transport } = server({ DATA: "354 go\r\n552 too big" }, true);
    const refused = { kind: "answered", stage: "data", reply: { code: 552 }, reusable: false };
    const result = await runTransaction(connection, { ...MESSAGE, bytes }, TIMEOUTS);
    expect(result).toMatchObject(refused);
    expect(transport.written).toHaveLength(1);
  });
});
