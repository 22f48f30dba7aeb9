// Addresses beyond ASCII on the way out (RFC 6531): the parameter where the envelope or the header
// needs it and nowhere else, and a permanent refusal where no server of the domain takes them.
import { afterEach, describe, expect, it } from "vitest";
import { fakeMx, type FakeMx } from "./fake-mx.ts";
import { deliverOne, gateway, type HarnessCopy, post, frame } from "./gateway-harness.ts";

const WITH = "250-mx.test\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8";
const WITHOUT = "250-mx.test\r\n250-PIPELINING\r\n250 8BITMIME";
const ASCII = "From: a@example.test\r\nSubject: =?utf-8?Q?=C3=A9?=\r\n\r\nhello\r\n";
const UTF8_BODY = "From: a@example.test\r\nSubject: x\r\n\r\né\r\n";
const UTF8_HEADER = "From: jörg@example.test\r\nSubject: x\r\n\r\nhello\r\n";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function against(ehlo: string): Promise<{ port: number; mx: FakeMx }> {
  const mx = await fakeMx({ ehlo });
  const { port, drain } = await gateway(mx.port);
  closing.push(drain, mx.close);
  return { port, mx };
}

async function parametersOf(parcel: Omit<HarnessCopy, "key">): Promise<string | undefined> {
  const { port, mx } = await against(WITH);
  expect(await deliverOne(port, { key: "k", ...parcel })).toMatchObject({
    kind: "reply",
    code: 250,
  });
  return mx.lines.find((line) => line.startsWith("MAIL"))?.replace(/^[^>]*> ?/, "");
}

describe("SMTPUTF8", () => {
  it("is asked for where the envelope needs it, and the address goes out as UTF-8", async () => {
    const { port, mx } = await against(WITH);
    expect(
      await deliverOne(port, { key: "k", rcptTo: "用户@example.net", message: ASCII }),
    ).toMatchObject({ kind: "reply", code: 250 });
    expect(mx.lines).toContain("RCPT TO:<用户@example.net>");
    expect(mx.lines.find((line) => line.startsWith("MAIL"))).toBe(
      "MAIL FROM:<b+token@bounces.example.test> BODY=8BITMIME SMTPUTF8",
    );
  });

  it("is asked for where the header needs it", async () => {
    expect(await parametersOf({ message: UTF8_HEADER })).toBe("BODY=8BITMIME SMTPUTF8");
  });

  it.each([
    ["nothing beyond ASCII", ASCII, ""],
    ["a body alone beyond ASCII", UTF8_BODY, "BODY=8BITMIME"],
  ])("is not asked for with %s", async (_, message, parameters) => {
    expect(await parametersOf({ message })).toBe(parameters);
  });
});

describe("a server without SMTPUTF8", () => {
  const reply = (code: number, enhanced: string) => ({
    kind: "reply",
    code,
    enhanced,
    stage: "mail",
    mx_host: "127.0.0.1",
    tls: null,
  });

  it("refuses an address for good, before a word of it was said", async () => {
    const { port, mx } = await against(WITHOUT);
    const line = await deliverOne(port, { key: "k", rcptTo: "用户@example.net" });
    expect(line).toMatchObject({
      ...reply(553, "5.6.7"),
      text: "The server takes no addresses beyond ASCII (SMTPUTF8)",
    });
    expect(mx.lines.filter((one) => one.startsWith("MAIL"))).toEqual([]);
  });

  it("refuses a header for good", async () => {
    const { port } = await against(WITHOUT);
    expect(await deliverOne(port, { key: "k", message: UTF8_HEADER })).toMatchObject(
      reply(554, "5.6.9"),
    );
  });

  it("takes the others, one after the other", async () => {
    const { port, mx } = await against(WITHOUT);
    const parcels = [
      { key: "1" },
      { key: "2", rcptTo: "é@example.net" },
      { key: "3", message: UTF8_BODY },
      { key: "4" },
    ];
    const { lines } = await post(
      port,
      parcels.map((parcel) => frame(parcel)),
    );
    expect(
      Object.fromEntries(
        lines.map(({ key, ...line }) => [key, line.kind === "reply" && line.code]),
      ),
    ).toEqual({
      1: 250,
      2: 553,
      3: 250,
      4: 250,
    });
    expect(mx.messages).toHaveLength(3);
  });
});
