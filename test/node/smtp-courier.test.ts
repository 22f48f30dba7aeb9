// The courier `smtp` (src/mail/deliver/couriers/smtp-courier.ts) in plain workerd, over real
// sockets: against a whole server for what is delivered, against a scripted one for every way in
// which a relay can refuse, hang, lie or break off.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Script } from "../gateway/fake-mx.ts";
import {
  CourierStand,
  HELLO,
  parcel,
  PASSWORD,
  type TestParcel,
  USERNAME,
} from "./courier-harness.ts";
import { OFFERED, scriptedRelay, wholeRelay } from "./smtp-relay.ts";

const ONE_BY_ONE = "250-relay.test\r\n250 AUTH PLAIN";
const stand = new CourierStand();
const closing: (() => Promise<void>)[] = [];

beforeAll(() => stand.start());

afterAll(() => stand.stop());

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function against(script: Script, parcels: readonly TestParcel[] = [parcel()]) {
  const relay = await scriptedRelay(script);
  closing.push(relay.close);
  return { relay, outcomes: await stand.carry({ port: relay.port }, [parcels]) };
}

async function whole(...options: Parameters<typeof wholeRelay>) {
  const relay = await wholeRelay(...options);
  closing.push(relay.close);
  return relay;
}

const several = (count: number, change: Partial<TestParcel> = {}): TestParcel[] =>
  Array.from({ length: count }, (_, index) =>
    parcel({ ...change, key: `a/${index}/1`, rcptTo: `r${index}@receiver.example` }),
  );

const reply = (code: number, stage: string, enhanced: string | null, text: string) => ({
  kind: "reply",
  code,
  enhanced,
  text,
  stage,
  mxHost: "localhost",
  tls: stage === "connect" || stage === "starttls" ? null : "TLS",
});

const failed = (cause: string, detail: unknown) => ({
  kind: "failure",
  cause,
  detail,
  mxHost: "localhost",
});

describe("a message", () => {
  it.each([
    ["PLAIN", { authMethods: ["PLAIN"] }],
    ["LOGIN", { authMethods: ["LOGIN"] }],
    ["no PIPELINING", { hidePIPELINING: true }],
  ])(
    "arrives byte for byte, inside TLS, from who knows the password (%s)",
    async (_name, options) => {
      const relay = await whole(options);
      const message = `${HELLO}.\r\n..\r\na\r\n.b\r\n\xe9\r\n${"0123456789".repeat(99)}\r\n\r\n.\r\n`;
      const outcomes = await stand.carry({ port: relay.port }, [[parcel({ message })]]);
      expect(outcomes).toEqual({
        "a/0/1": reply(250, "end", null, expect.stringContaining("queued") as unknown as string),
      });
      expect(relay.received).toMatchObject([
        {
          from: "b+token@bounces.example.test",
          to: "ann@receiver.example",
          message,
          auth: USERNAME,
          secure: true,
        },
      ]);
    },
  );

  it("of 5 MB arrives whole", async () => {
    const relay = await whole({ size: 50_000_000 });
    const message = `${HELLO}${`.${"x".repeat(75)}\r\n`.repeat(67_000)}`;
    await stand.carry({ port: relay.port }, [[parcel({ message })]], {
      block: 10_000,
      final: 10_000,
    });
    expect(relay.received.map((one) => one.message === message)).toEqual([true]);
  });

  it("goes over TLS from the first byte where the relay speaks so", async () => {
    const relay = await whole({ secure: true });
    await stand.carry({ port: relay.port, implicitTls: true }, [[parcel()]]);
    expect(relay.received).toMatchObject([{ message: HELLO, auth: USERNAME, secure: true }]);
  });

  it("names its size and its eight bits where the relay knows them", async () => {
    const { relay } = await against({}, [
      parcel(),
      parcel({ key: "a/1/1", message: `${HELLO}\xc3\xa9\r\n` }),
    ]);
    expect(relay.lines.filter((line) => line.startsWith("MAIL")).sort()).toEqual([
      `MAIL FROM:<b+token@bounces.example.test> SIZE=${HELLO.length}`,
      `MAIL FROM:<b+token@bounces.example.test> SIZE=${HELLO.length + 4} BODY=8BITMIME`,
    ]);
  });

  const WITH_UTF8 = `250-relay.test\r\n${OFFERED.replace("relay.test", "SMTPUTF8")}`;
  const UTF8_HEADER = HELLO.replace("From: ", "From: j\xc3\xb6rg@example.test, ");

  it.each<[string, Partial<TestParcel>]>([
    ["address", { rcptTo: "jürgen@receiver.example" }],
    ["header", { message: UTF8_HEADER }],
  ])("asks for SMTPUTF8 where its %s needs it", async (_name, change) => {
    const { relay, outcomes } = await against({ ehlo: WITH_UTF8 }, [parcel(change)]);
    expect(outcomes["a/0/1"]).toMatchObject({ kind: "reply", code: 250 });
    expect(relay.lines).toContain(`RCPT TO:<${change.rcptTo ?? "ann@receiver.example"}>`);
    expect(relay.lines.find((line) => line.startsWith("MAIL"))).toMatch(/ BODY=8BITMIME SMTPUTF8$/);
  });

  it.each(["x\xc3\xa9\r\n", "\r\n\r\n\xc3\xa9\r\n"])(
    "does not ask for it because of its body",
    async (body) => {
      const { relay } = await against({ ehlo: WITH_UTF8 }, [parcel({ message: HELLO + body })]);
      expect(relay.lines.find((line) => line.startsWith("MAIL"))).toMatch(
        / SIZE=\d+ BODY=8BITMIME$/,
      );
    },
  );

  it.each<[string, Partial<TestParcel>, object]>([
    [
      "address",
      { rcptTo: "jürgen@receiver.example" },
      reply(553, "mail", "5.6.7", "The server takes no addresses beyond ASCII (SMTPUTF8)"),
    ],
    [
      "sender",
      { mailFrom: "jürgen@example.test" },
      reply(553, "mail", "5.6.7", "The server takes no addresses beyond ASCII (SMTPUTF8)"),
    ],
    [
      "header",
      { message: UTF8_HEADER },
      reply(554, "mail", "5.6.9", "The server takes no headers beyond ASCII (SMTPUTF8)"),
    ],
  ])(
    "whose %s needs SMTPUTF8 is refused for good where the relay has none, and the connection carries on",
    async (_name, change, expected) => {
      for (const ehlo of [OFFERED, ONE_BY_ONE]) {
        const { outcomes, relay } = await against({ ehlo }, [
          parcel(change),
          parcel({ key: "a/1/1", message: `${HELLO}\xc3\xa9\r\n` }),
        ]);
        expect(outcomes).toEqual({
          "a/0/1": expected,
          "a/1/1": expect.objectContaining({ code: 250 }) as object,
        });
        expect(relay.messages).toHaveLength(1);
      }
    },
  );

  it.each([
    [
      { rcptTo: "a@b.example>\r\nRCPT TO:<c@d.example" },
      failed("no_mail_server", "the recipient is no address"),
    ],
    [{ mailFrom: "x> SIZE=1" }, failed("other", "the return-path is no address")],
    [{ pool: "receipts" }, failed("other", "a relay has no IP pools")],
  ])("that can't be handed over as it has to be meets no relay: %j", async (change, outcome) => {
    const { relay, outcomes } = await against({}, [parcel(change)]);
    expect(outcomes["a/0/1"]).toEqual(outcome);
    expect(relay.connections).toEqual([]);
  });
});

describe("a reply is the outcome, at the stage where it came", () => {
  it.each<[string, Script, object]>([
    ["250 behind the final dot", {}, reply(250, "end", "2.0.0", "queued as 1")],
    ["a 4xx greeting", { greeting: "450 4.3.2 busy" }, reply(450, "connect", "4.3.2", "busy")],
    ["421 to EHLO", { ehlo: "421 4.3.0 later" }, reply(421, "helo", "4.3.0", "later")],
    [
      "4xx to STARTTLS",
      { starttls: "454 4.7.0 no TLS just now" },
      reply(454, "starttls", "4.7.0", "no TLS just now"),
    ],
    ["5xx to MAIL", { mail: "550 5.1.8 who are you" }, reply(550, "mail", "5.1.8", "who are you")],
    ["4xx to MAIL", { mail: "451 4.3.0 later" }, reply(451, "mail", "4.3.0", "later")],
    [
      "5xx to RCPT",
      { rcpt: "550 5.1.1 no such user" },
      reply(550, "rcpt", "5.1.1", "no such user"),
    ],
    ["4xx to RCPT", { rcpt: "451 4.7.1 greylisted" }, reply(451, "rcpt", "4.7.1", "greylisted")],
    [
      "5xx to RCPT, and the message asked for all the same",
      { rcpt: "550 5.1.1 no", data: "354 go" },
      reply(550, "rcpt", "5.1.1", "no"),
    ],
    ["5xx to DATA", { data: "554 5.5.1 no" }, reply(554, "data", "5.5.1", "no")],
    ["4xx to DATA", { data: "451 4.3.0 later" }, reply(451, "data", "4.3.0", "later")],
    ["5xx to the message", { end: "554 5.7.1 spam" }, reply(554, "end", "5.7.1", "spam")],
    ["4xx to the message", { end: "452 4.2.2 full" }, reply(452, "end", "4.2.2", "full")],
    [
      "421 to MAIL",
      { mail: { act: "say_and_drop", text: "421 4.7.0 too many" } },
      reply(421, "mail", "4.7.0", "too many"),
    ],
    [
      "421 to the message",
      { end: { act: "say_and_drop", text: "421 4.7.0 go" } },
      reply(421, "end", "4.7.0", "go"),
    ],
    [
      "many lines",
      { rcpt: "550-5.7.1 first\r\n550-5.7.1  second\r\n550 5.7.1 third" },
      reply(550, "rcpt", "5.7.1", "first second third"),
    ],
    ["no words", { end: "250" }, reply(250, "end", null, "")],
    [
      "bare line feeds and control characters",
      { end: "250-2.0.0 a\u0007b\n250 2.0.0 ok" },
      reply(250, "end", "2.0.0", "a b ok"),
    ],
  ])("%s", async (_name, script, expected) => {
    for (const ehlo of [OFFERED, ONE_BY_ONE]) {
      const { relay, outcomes } = await against({ ehlo, ...script });
      expect(outcomes).toEqual({ "a/0/1": expected });
      expect(relay.messages.length).toBe(relay.connections[0]?.verbs.includes("end") ? 1 : 0);
    }
  });

  it("is each recipient's own", async () => {
    const script: Script = {
      rcpt: (line) => (line.includes("r1@") ? "550 5.1.1 unknown" : "250 ok"),
      end: (_line, count) => `250 2.0.0 queued as ${count}`,
    };
    for (const ehlo of [OFFERED, ONE_BY_ONE]) {
      const { outcomes } = await against({ ehlo, ...script }, several(3));
      expect(Object.entries(outcomes).map(([key, { code, stage }]) => [key, code, stage])).toEqual(
        expect.arrayContaining([
          ["a/0/1", 250, "end"],
          ["a/1/1", 550, "rcpt"],
          ["a/2/1", 250, "end"],
        ]),
      );
    }
  });

  it("is folded to 1 KB of whole characters", async () => {
    const lines = Array.from(
      { length: 200 },
      (_, at) => `550${at < 199 ? "-" : " "}5.7.1 ${"é".repeat(40)}`,
    );
    const { outcomes } = await against({ end: lines.join("\r\n") });
    const text = String(outcomes["a/0/1"]?.["text"]);
    expect(Buffer.byteLength(text)).toBeGreaterThan(1_000);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_024);
    expect(text).toMatch(/^[é ]+$/);
  });

  it("of a server that refuses a large message half way is heard", async () => {
    const { outcomes } = await against({ data: "354 go\r\n552 5.3.4 too big" }, [
      parcel({ message: HELLO + "x\r\n".repeat(1_000_000) }),
    ]);
    expect(outcomes["a/0/1"]).toMatchObject({ kind: "reply", code: 552, stage: "data" });
  });
});

describe("a failure is the outcome when there was no verdict", () => {
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
      failed("other", expect.stringMatching(/\(greeting\)$/)),
    ],
    [
      "EHLO never answered",
      { ehlo: { act: "hang" } },
      failed("tls", "no answer in time (starttls)"),
    ],
    ["AUTH never answered", { auth: { act: "hang" } }, failed("other", "no answer in time (auth)")],
    ["MAIL never answered", { mail: { act: "hang" } }, failed("other", "no answer in time (mail)")],
    ["RCPT never answered", { rcpt: { act: "hang" } }, failed("other", "no answer in time (rcpt)")],
    ["DATA never answered", { data: { act: "hang" } }, failed("other", "no answer in time (data)")],
    [
      "a connection dropped at RCPT",
      { rcpt: { act: "drop" } },
      failed("other", expect.stringMatching(/\(rcpt\)$/)),
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
      "an answer that drips",
      { end: { act: "drip", text: "250-x\r\n", everyMs: 5 } },
      failed("other", expect.stringMatching(/^unknown fate: /)),
    ],
    [
      "no SMTP at all",
      { greeting: "HTTP/1.1 400 Bad Request" },
      failed("other", "a line that is no SMTP reply (greeting)"),
    ],
    [
      "250 to DATA",
      { data: "250 2.0.0 delivered, honestly" },
      failed("other", "answered 250 out of turn (data)"),
    ],
    ["354 to MAIL", { mail: "354 go on" }, failed("other", "answered 354 out of turn (mail)")],
    [
      "250 before the message",
      { data: "354 go\r\n250 2.0.0 taken" },
      failed("other", "answered 250 out of turn (data)"),
    ],
    [
      "an endless line",
      { rcpt: `550 ${"x".repeat(70_000)}` },
      failed("other", "a reply of more than 64 KB (rcpt)"),
    ],
    [
      "endless lines",
      { rcpt: "550-x\r\n".repeat(12_000) },
      failed("other", "a reply of more than 64 KB (rcpt)"),
    ],
  ])("%s", async (_name, script, expected) => {
    for (const ehlo of [OFFERED, ONE_BY_ONE]) {
      const { relay, outcomes } = await against({ ehlo, ...script });
      expect(outcomes).toEqual({ "a/0/1": expected });
      // Whatever the relay does, it is left.
      await expect.poll(relay.open).toBe(0);
    }
  });

  it("and a server that stops reading holds nothing up", async () => {
    const relay = await scriptedRelay({ data: "354 go" });
    closing.push(relay.close);
    // The server never reads again, so what ends is the courier's patience.
    relay.server.on("connection", (socket) => void setTimeout(() => socket.pause(), 150));
    const outcomes = await stand.carry({ port: relay.port }, [
      [parcel({ message: HELLO + `${"x".repeat(998)}\r\n`.repeat(12_000) })],
    ]);
    expect(outcomes["a/0/1"]).toMatchObject({ kind: "failure", cause: "other" });
  });

  it("keeps the refusal when the connection is dropped behind it", async () => {
    const { outcomes } = await against({
      rcpt: { act: "say_and_drop", text: "550 5.1.1 no such user" },
    });
    expect(outcomes["a/0/1"]).toMatchObject({ kind: "reply", code: 550, stage: "rcpt" });
  });

  it("says so of a relay that can't be connected to, to every message", async () => {
    const relay = await scriptedRelay();
    await relay.close();
    const outcomes = await stand.carry({ port: relay.port }, [several(6)]);
    expect(Object.values(outcomes)).toEqual(
      Array.from({ length: 6 }, () =>
        failed("connect", "the connection was refused, or its TLS (connect)"),
      ),
    );
  });
});

describe("a session that the relay refuses for good", () => {
  it.each<[string, Script, string]>([
    [
      "at the greeting",
      { greeting: "554 5.7.1 your address is blocked" },
      "answered 554 (connect)",
    ],
    ["at EHLO", { ehlo: "550 5.7.1 no service here" }, "answered 550 (helo)"],
  ])("bounces nobody's mail: %s", async (_name, script, detail) => {
    const { relay, outcomes } = await against(script, several(3));
    expect(Object.values(outcomes)).toEqual(
      Array.from({ length: 3 }, () => failed("other", detail)),
    );
    expect(relay.connections.length).toBe(1);
  });
});

describe("a password that the relay refuses", () => {
  it.each([
    ["535 5.7.8 wrong", 535],
    ["454 4.7.0 later", 454],
    ["501 5.5.2 what?", 501],
  ])("is nobody's bounce: %s", async (auth, code) => {
    const { relay, outcomes } = await against({ auth }, several(3));
    expect(Object.values(outcomes)).toEqual(
      Array.from({ length: 3 }, () => failed("other", `AUTH was answered ${code}`)),
    );
    expect(relay.lines.join()).not.toContain("MAIL");
    expect(relay.connections.length).toBe(1);
  });

  it("is sent to no relay that knows neither PLAIN nor LOGIN", async () => {
    const { relay, outcomes } = await against({ ehlo: "250-relay\r\n250 AUTH CRAM-MD5" });
    expect(outcomes["a/0/1"]).toEqual(
      failed("other", "the relay offers neither AUTH PLAIN nor LOGIN"),
    );
    expect(relay.connections[0]?.verbs).toEqual(["greeting", "ehlo", "starttls", "ehlo"]);
  });

  it("goes as one answer to AUTH PLAIN", async () => {
    const { relay } = await against({});
    expect(relay.lines).toContain(
      `AUTH PLAIN ${Buffer.from(`\0${USERNAME}\0${PASSWORD}`).toString("base64")}`,
    );
  });
});

describe("connections", () => {
  it("carry one message after the other, and are four at most, whatever number of teams shares them", async () => {
    const relay = await whole();
    const teams = ["a", "b", "c"].map((team) =>
      several(20).map((one) => ({ ...one, key: `${team}${one.key}` })),
    );
    const outcomes = await stand.carry({ port: relay.port }, teams);
    expect(Object.values(outcomes).filter(({ code }) => code === 250).length).toBe(60);
    expect(new Set(relay.received.map(({ message }) => message))).toEqual(new Set([HELLO]));
    // Each team's lanes end before another's begin.
    expect(relay.connections()).toBeLessThanOrEqual(12);
  });

  it("are never more than four at once", async () => {
    let most = 0;
    const relay = await scriptedRelay({
      end: () => {
        most = Math.max(
          most,
          relay.connections.filter(({ verbs }) => !verbs.includes("quit")).length,
        );
        return "250 2.0.0 ok";
      },
    });
    closing.push(relay.close);
    await stand.carry({ port: relay.port }, [
      several(12),
      several(12).map((one) => ({ ...one, key: `b${one.key}` })),
    ]);
    expect(relay.messages.length).toBe(24);
    expect(most).toBeLessThanOrEqual(4);
    expect(most).toBeGreaterThan(1);
  });

  it("begin a transaction after a refused one with RSET", async () => {
    const { relay, outcomes } = await against(
      {
        rcpt: (line) => (line.includes("r0@") ? "550 5.1.1 no" : "250 ok"),
        data: (_line, _count, _connection) => "354 go",
        ehlo: ONE_BY_ONE,
      },
      several(8),
    );
    expect(Object.values(outcomes).filter(({ code }) => code === 250).length).toBe(7);
    expect(outcomes["a/0/1"]).toMatchObject({ code: 550, stage: "rcpt" });
    const withRefusal = relay.connections.find(({ verbs }) => verbs.includes("rset"));
    const verbs = withRefusal?.verbs ?? [];
    expect(verbs[verbs.indexOf("rset") - 1]).toBe("rcpt");
    expect(verbs[verbs.indexOf("rset") + 1]).toBe("mail");
  });

  it("that a relay turns away leave their messages to those that it took", async () => {
    let taken = 0;
    const greeting = () =>
      ++taken > 1
        ? ({ act: "say_and_drop", text: "421 4.7.0 one at a time" } as const)
        : "220 hello";
    const { relay, outcomes } = await against({ greeting }, several(12));
    expect(Object.values(outcomes).filter(({ code }) => code === 250).length).toBe(12);
    expect(relay.messages.length).toBe(12);
  });

  it("that died between two messages are replaced, and the message sent once", async () => {
    const script: Script = {
      mail: (_line, count, connection) =>
        count > 1 && connection === 1 ? { act: "drop" } : "250 ok",
    };
    const { relay, outcomes } = await against(script, several(9));
    expect(Object.values(outcomes).filter(({ code }) => code === 250).length).toBe(9);
    expect(relay.messages.length).toBe(9);
  });

  it("end with QUIT", async () => {
    const { relay } = await against({}, several(2));
    expect(relay.connections.map(({ verbs }) => verbs.at(-1))).toEqual(
      relay.connections.map(() => "quit"),
    );
    await expect.poll(relay.open).toBe(0);
  });
});
