// Tests the courier `cloudflare` (src/mail/deliver/couriers/cloudflare-courier.ts) with Miniflare's
// binding, which keeps each message in a file. test/unit/mail/deliver/cloudflare-courier.test.ts
// tests the answers of the real service.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { workerdLog } from "../plain-workerd.ts";
import { carry, HELLO, testCopy } from "./courier-harness.ts";

const SIGNATURE =
  "DKIM-Signature: v=1; a=rsa-sha256; d=example.test;\r\n h=From:Date;\r\n b=abc\r\n";

/**
 * Waits for `count` messages that Miniflare's binding took. Returns them as strings with one
 * character for each byte.
 */
async function captured(count: number): Promise<string[]> {
  const files = () => workerdLog.flatMap((line) => /Email: (\S+\.eml)/.exec(line)?.[1] ?? []);
  await expect.poll(() => files().length).toBeGreaterThanOrEqual(count);
  const messages = files().map((path) => readFileSync(path, "latin1"));
  workerdLog.length = 0;
  return messages;
}

describe("the Email Service", () => {
  it("gets the message unchanged, with its own sender and without our signature", async () => {
    const message = `${HELLO}.\r\n\xc3\xa9\r\n${"x".repeat(900)}\r\n`;
    const outcomes = await carry(null, [[testCopy({ message: SIGNATURE + message })]]);
    const id = String(outcomes["a/0/1"]?.["providerId"]);
    expect(outcomes).toEqual({
      "a/0/1": { kind: "taken", providerId: expect.stringMatching(/^<\S+>$/) },
    });
    const [taken = ""] = await captured(1);
    // Miniflare's binding demands a Message-ID, and then replaces it by its own.
    expect(taken).toBe(message.replace("<1@example.test>", id).replace(/^Date: .*\r\n/m, ""));
  });

  it("takes every copy of every team", async () => {
    const parcels = (team: string) =>
      Array.from({ length: 9 }, (_, index) =>
        testCopy({ key: `${team}/${index}/1`, rcptTo: `r${index}@receiver.example` }),
      );
    const outcomes = await carry(null, [parcels("a"), parcels("b")]);
    expect(Object.values(outcomes).map(({ kind }) => kind)).toEqual(
      Array.from({ length: 18 }, () => "taken"),
    );
    expect((await captured(18)).length).toBe(18);
  });

  it("gets the sender exactly as the header writes it", async () => {
    const written = testCopy({ message: HELLO.replace("shop@example.test", "Shop@Example.test") });
    expect(await carry(null, [[written]])).toMatchObject({ "a/0/1": { kind: "taken" } });
    expect(await captured(1)).toEqual([expect.stringContaining("<Shop@Example.test>")]);
  });

  it("refuses a sender that the binding does not allow", async () => {
    const foreign = testCopy({
      sender: "other@example.test",
      message: HELLO.replace("shop@", "other@"),
    });
    expect(await carry(null, [[foreign]])).toMatchObject({
      "a/0/1": { kind: "reply", code: 550, enhanced: "5.7.1", stage: "mail" },
    });
  });

  it("refuses a message that it can't read", async () => {
    const outcomes = await carry(null, [
      [testCopy({ message: HELLO.replace(/Message-ID.*\r\n/, "") })],
    ]);
    expect(outcomes).toMatchObject({ "a/0/1": { code: 554, enhanced: "5.6.0", stage: "end" } });
  });

  it("has no IP pools, so mail for an IP pool is not sent", async () => {
    workerdLog.length = 0;
    expect(await carry(null, [[testCopy({ pool: "receipts" })]])).toMatchObject({
      "a/0/1": { kind: "failure", cause: "other" },
    });
    expect(workerdLog.join()).not.toContain("Email:");
  });
});
