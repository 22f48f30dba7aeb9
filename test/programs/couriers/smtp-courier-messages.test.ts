// Tests messages through the courier `smtp` (src/mail/deliver/couriers/smtp-courier.ts) in plain
// workerd, over real sockets: the bytes that arrive, and the SMTP extensions that the courier asks
// for.
import { describe, expect, it } from "vitest";
import { carry, HELLO, testCopy, type TestCopy, USERNAME } from "./courier-harness.ts";
import {
  failureOutcome,
  OFFERED,
  ONE_BY_ONE,
  replyOutcome,
  against,
  startRelay,
  useRelays,
} from "./smtp-relay.ts";

useRelays();

describe("a message through the relay courier", () => {
  it.each([
    ["PLAIN", { authMethods: ["PLAIN"] }],
    ["LOGIN", { authMethods: ["LOGIN"] }],
    ["no PIPELINING", { hidePIPELINING: true }],
  ])("arrives byte for byte, inside TLS and after AUTH (%s)", async (_name, options) => {
    const relay = await startRelay(options);
    const message = `${HELLO}.\r\n..\r\na\r\n.b\r\n\xe9\r\n${"0123456789".repeat(99)}\r\n\r\n.\r\n`;
    const outcomes = await carry({ port: relay.port }, [[testCopy({ message })]]);
    expect(outcomes).toEqual({
      "a/0/1": replyOutcome(
        250,
        "end",
        null,
        expect.stringContaining("queued") as unknown as string,
      ),
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
  });

  it("of 5 MB arrives whole", async () => {
    const relay = await startRelay({ size: 50_000_000 });
    const message = `${HELLO}${`.${"x".repeat(75)}\r\n`.repeat(67_000)}`;
    await carry({ port: relay.port }, [[testCopy({ message })]], {
      block: 10_000,
      final: 10_000,
    });
    expect(relay.received.map((one) => one.message === message)).toEqual([true]);
  });

  it("goes over implicit TLS if the relay uses it", async () => {
    const relay = await startRelay({ secure: true });
    await carry({ port: relay.port, implicitTls: true }, [[testCopy()]]);
    expect(relay.received).toMatchObject([{ message: HELLO, auth: USERNAME, secure: true }]);
  });

  it("is announced with SIZE and BODY=8BITMIME if the relay offers them", async () => {
    const { relay } = await against({}, [
      testCopy(),
      testCopy({ key: "a/1/1", message: `${HELLO}\xc3\xa9\r\n` }),
    ]);
    expect(relay.lines.filter((line) => line.startsWith("MAIL")).sort()).toEqual([
      `MAIL FROM:<b+token@bounces.example.test> SIZE=${HELLO.length}`,
      `MAIL FROM:<b+token@bounces.example.test> SIZE=${HELLO.length + 4} BODY=8BITMIME`,
    ]);
  });

  const WITH_UTF8 = `250-relay.test\r\n${OFFERED.replace("relay.test", "SMTPUTF8")}`;
  const UTF8_HEADER = HELLO.replace("From: ", "From: j\xc3\xb6rg@example.test, ");

  it.each<[string, Partial<TestCopy>]>([
    ["address", { rcptTo: "jürgen@receiver.example" }],
    ["header", { message: UTF8_HEADER }],
  ])("asks for SMTPUTF8 if its %s needs it", async (_name, change) => {
    const { relay, outcomes } = await against({ ehlo: WITH_UTF8 }, [testCopy(change)]);
    expect(outcomes["a/0/1"]).toMatchObject({ kind: "reply", code: 250 });
    expect(relay.lines).toContain(`RCPT TO:<${change.rcptTo ?? "ann@receiver.example"}>`);
    expect(relay.lines.find((line) => line.startsWith("MAIL"))).toMatch(/ BODY=8BITMIME SMTPUTF8$/);
  });

  it.each(["x\xc3\xa9\r\n", "\r\n\r\n\xc3\xa9\r\n"])(
    "does not ask for SMTPUTF8 because of its body: %j",
    async (body) => {
      const { relay } = await against({ ehlo: WITH_UTF8 }, [testCopy({ message: HELLO + body })]);
      expect(relay.lines.find((line) => line.startsWith("MAIL"))).toMatch(
        / SIZE=\d+ BODY=8BITMIME$/,
      );
    },
  );

  it.each<[string, Partial<TestCopy>, object]>([
    [
      "address",
      { rcptTo: "jürgen@receiver.example" },
      replyOutcome(553, "mail", "5.6.7", "The server takes no addresses beyond ASCII (SMTPUTF8)"),
    ],
    [
      "sender",
      { mailFrom: "jürgen@example.test" },
      replyOutcome(553, "mail", "5.6.7", "The server takes no addresses beyond ASCII (SMTPUTF8)"),
    ],
    [
      "header",
      { message: UTF8_HEADER },
      replyOutcome(554, "mail", "5.6.9", "The server takes no headers beyond ASCII (SMTPUTF8)"),
    ],
  ])(
    "is refused permanently if its %s needs SMTPUTF8 and the relay lacks it; the connection stays open",
    async (_name, change, expected) => {
      for (const ehlo of [OFFERED, ONE_BY_ONE]) {
        const { outcomes, relay } = await against({ ehlo }, [
          testCopy(change),
          testCopy({ key: "a/1/1" }),
        ]);
        expect(outcomes).toEqual({
          "a/0/1": expected,
          "a/1/1": expect.objectContaining({ code: 250 }) as object,
        });
        expect(relay.messages).toHaveLength(1);
      }
    },
  );

  it("is refused permanently if it has an 8-bit part and the relay lacks 8BITMIME", async () => {
    const { outcomes, relay } = await against({ ehlo: ONE_BY_ONE }, [
      testCopy({ message: `${HELLO}\xc3\xa9\r\n` }),
    ]);
    const text = "The server takes no 8-bit parts (8BITMIME)";
    expect(outcomes).toEqual({ "a/0/1": replyOutcome(554, "mail", "5.6.3", text) });
    expect(relay.messages).toHaveLength(0);
  });

  it.each([
    [
      { rcptTo: "a@b.example>\r\nRCPT TO:<c@d.example" },
      failureOutcome("no_mail_server", "the recipient is not an address"),
    ],
    [{ mailFrom: "x> SIZE=1" }, failureOutcome("other", "the return-path is not an address")],
    [{ pool: "receipts" }, failureOutcome("other", "a relay has no IP pools")],
  ])("fails without a connection if no relay can take it: %j", async (change, outcome) => {
    const { relay, outcomes } = await against({}, [testCopy(change)]);
    expect(outcomes["a/0/1"]).toEqual(outcome);
    expect(relay.connections).toEqual([]);
  });
});
