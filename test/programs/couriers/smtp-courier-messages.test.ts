// Tests messages through the courier `smtp` (src/mail/deliver/couriers/smtp-courier.ts) in plain
// workerd, over real sockets: the bytes that arrive, and the SMTP extensions that the courier asks
// for.
import { describe, expect, it } from "vitest";
import { carry, HELLO, testCopy, USERNAME } from "./courier-harness.ts";
import {
  failureOutcome,
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
    await carry({ port: relay.port }, [[testCopy({ message })]], { block: 10_000, final: 10_000 });
    expect(relay.received.map((one) => one.message === message)).toEqual([true]);
  });

  it("goes over implicit TLS if the relay uses it", async () => {
    const relay = await startRelay({ secure: true });
    await carry({ port: relay.port, implicitTls: true }, [[testCopy()]]);
    expect(relay.received).toMatchObject([{ message: HELLO, auth: USERNAME, secure: true }]);
  });

  it("is refused permanently if the relay lacks an extension that it needs, and the others are sent", async () => {
    const { outcomes, relay } = await against({ ehlo: ONE_BY_ONE }, [
      testCopy({ message: `${HELLO}\xc3\xa9\r\n` }),
      testCopy({ key: "a/1/1" }),
    ]);
    const text = "The server takes no 8-bit parts (8BITMIME)";
    expect(outcomes).toEqual({
      "a/0/1": replyOutcome(554, "mail", "5.6.3", text),
      "a/1/1": expect.objectContaining({ code: 250 }) as object,
    });
    expect(relay.messages).toHaveLength(1);
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
