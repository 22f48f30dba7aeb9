// Tests the courier `cloudflare` (src/mail/deliver/couriers/cloudflare-courier.ts) through
// Miniflare's implementation of the binding, which writes each message to a file. The service's
// answers are tested in test/unit/mail/deliver/cloudflare-courier.test.ts.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CourierStand, HELLO, parcel } from "./courier-harness.ts";

const SIGNATURE =
  "DKIM-Signature: v=1; a=rsa-sha256; d=example.test;\r\n h=From:Date;\r\n b=abc\r\n";
const stand = new CourierStand();

beforeAll(() => stand.start());

afterAll(() => stand.stop());

/** Reads the messages that the binding took since the last call, one character for each byte. */
async function readCaptured(count: number): Promise<string[]> {
  const files = () => stand.log.flatMap((line) => /Email: (\S+\.eml)/.exec(line)?.[1] ?? []);
  await expect.poll(() => files().length, { timeout: 5_000 }).toBeGreaterThanOrEqual(count);
  const messages = files().map((path) => readFileSync(path, "latin1"));
  stand.log.length = 0;
  return messages;
}

describe("the Email Service", () => {
  it("gets the message unchanged, from its own sender, but without our signature", async () => {
    const message = `${HELLO}.\r\n\xc3\xa9\r\n${"x".repeat(900)}\r\n`;
    const outcomes = await stand.carry(null, [[parcel({ message: SIGNATURE + message })]]);
    expect(outcomes).toEqual({
      "a/0/1": {
        kind: "reply",
        code: 250,
        enhanced: "2.0.0",
        text: expect.stringMatching(/^queued as \S+$/),
        stage: "end",
        mxHost: null,
        tls: null,
      },
    });
    const [taken = ""] = await readCaptured(1);
    const id = /<\S+>/.exec(String(outcomes["a/0/1"]?.["text"]))?.[0] ?? "";
    // The service may replace several fields; Miniflare replaces only the Message-ID.
    expect(taken).toBe(message.replace("<1@example.test>", id));
  });

  it("does not get the complaint address, which is removed with the signature", async () => {
    const message = `${HELLO}Hello.\r\n`;
    const field = "CFBL-Address: b+x@bounces.example.test;\r\n report=arf\r\n";
    expect(
      await stand.carry(null, [[parcel({ message: SIGNATURE + field + message })]]),
    ).toMatchObject({ "a/0/1": { code: 250 } });
    const [taken = ""] = await readCaptured(1);
    expect(taken).toBe(
      message.replace("<1@example.test>", /^Message-ID: (\S+)/im.exec(taken)?.[1] ?? ""),
    );
  });

  it("gets every copy of every team", async () => {
    const copiesOf = (team: string) =>
      Array.from({ length: 9 }, (_, index) =>
        parcel({ key: `${team}/${index}/1`, rcptTo: `r${index}@receiver.example` }),
      );
    const outcomes = await stand.carry(null, [copiesOf("a"), copiesOf("b")]);
    expect(Object.values(outcomes).map(({ code }) => code)).toEqual(
      Array.from({ length: 18 }, () => 250),
    );
    expect((await readCaptured(18)).length).toBe(18);
  });

  it("gets the sender exactly as the header writes it", async () => {
    const written = parcel({ message: HELLO.replace("shop@example.test", "Shop@Example.test") });
    expect(await stand.carry(null, [[written]])).toMatchObject({ "a/0/1": { code: 250 } });
  });

  it("refuses a sender that the binding does not allow", async () => {
    const notAllowed = parcel({
      sender: "other@example.test",
      message: HELLO.replace("shop@", "other@"),
    });
    expect(await stand.carry(null, [[notAllowed]])).toMatchObject({
      "a/0/1": { kind: "reply", code: 550, enhanced: "5.7.1", stage: "mail" },
    });
  });

  it("refuses a message that it cannot parse", async () => {
    const outcomes = await stand.carry(null, [
      [
        parcel({ message: `Received: from x\r\n${HELLO}` }),
        parcel({ key: "a/1/1", message: HELLO.replace(/Message-ID.*\r\n/, "") }),
      ],
    ]);
    expect(outcomes).toMatchObject({
      "a/0/1": { code: 554, enhanced: "5.6.0", stage: "end" },
      "a/1/1": { code: 554 },
    });
  });

  it("has no IP pools, so mail that asks for one is not sent", async () => {
    stand.log.length = 0;
    expect(await stand.carry(null, [[parcel({ pool: "receipts" })]])).toMatchObject({
      "a/0/1": { kind: "failure", cause: "other" },
    });
    expect(stand.log.join()).not.toContain("Email:");
  });
});
