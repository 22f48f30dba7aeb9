// Tests delivery with addresses beyond ASCII (RFC 6531): the gateway uses SMTPUTF8 only if the
// envelope or the header needs it. If the domain's servers don't offer SMTPUTF8, that is a
// permanent refusal.
import { describe, expect, it } from "vitest";
import { deliverOne, post, frame, startHarness } from "./gateway-harness.ts";

const WITH = "250-mx.test\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8";
const WITHOUT = "250-mx.test\r\n250-PIPELINING\r\n250 8BITMIME";
const ASCII = "From: a@example.test\r\nSubject: =?utf-8?Q?=C3=A9?=\r\n\r\nhello\r\n";
const UTF8_BODY = "From: a@example.test\r\nSubject: x\r\n\r\né\r\n";

describe("SMTPUTF8", () => {
  it("is used when the envelope needs it, and the address goes out as UTF-8", async () => {
    const { port, mx } = await startHarness({ ehlo: WITH });
    expect(
      await deliverOne(port, { key: "k", rcptTo: "用户@example.net", message: ASCII }),
    ).toMatchObject({ kind: "reply", code: 250 });
    expect(mx.lines).toContain("RCPT TO:<用户@example.net>");
    expect(mx.lines.find((line) => line.startsWith("MAIL"))).toBe(
      "MAIL FROM:<b+token@bounces.example.test> BODY=8BITMIME SMTPUTF8",
    );
  });
});

const reply = (code: number, enhanced: string) => ({
  kind: "reply",
  code,
  enhanced,
  stage: "mail",
  mx_host: "127.0.0.1",
  tls: null,
});

describe("a server without 8BITMIME", () => {
  const SEVEN_BIT = "250-mx.test\r\n250 PIPELINING";

  it("makes a message with an 8-bit part a permanent refusal, before MAIL is sent", async () => {
    const { port, mx } = await startHarness({ ehlo: SEVEN_BIT });
    const copy = { converted: true, message: UTF8_BODY };
    expect(await deliverOne(port, { key: "1", ...copy })).toMatchObject({
      ...reply(554, "5.6.3"),
      text: "The server takes no 8-bit parts (8BITMIME)",
    });
    expect(mx.lines.filter((one) => one.startsWith("MAIL"))).toEqual([]);
    expect(await deliverOne(port, { key: "2", ...copy, message: ASCII })).toMatchObject({
      code: 250,
    });
  });

  it("gets an 8-bit message of an earlier worker, which converted nothing", async () => {
    const { port, mx } = await startHarness({ ehlo: SEVEN_BIT });
    expect(await deliverOne(port, { key: "k", message: UTF8_BODY })).toMatchObject({ code: 250 });
    expect(mx.messages[0]?.toString()).toBe(UTF8_BODY);
  });
});

describe("a server without SMTPUTF8", () => {
  it("takes the other messages on the same connection", async () => {
    const { port, mx } = await startHarness({ ehlo: WITHOUT });
    const copies = [
      { key: "1" },
      { key: "2", rcptTo: "é@example.net" },
      { key: "3", message: UTF8_BODY },
      { key: "4" },
    ];
    const { lines } = await post(
      port,
      copies.map((copy) => frame(copy)),
    );
    expect(
      Object.fromEntries(
        lines.map(({ key, ...line }) => [key, line.kind === "reply" && line.code]),
      ),
    ).toEqual({ 1: 250, 2: 553, 3: 250, 4: 250 });
    expect(mx.messages).toHaveLength(3);
  });
});
