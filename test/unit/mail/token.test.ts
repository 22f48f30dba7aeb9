// Signed recipient tokens (src/mail/token.ts): only a genuine one is read, in whatever case it comes back.
import { describe, expect, it } from "vitest";
import { newEmailId } from "../../../src/lib/ids.ts";
import { mintToken, readToken } from "../../../src/mail/token.ts";

const KEY = "a signing key of more than 32 characters";
const ref = { historyShard: 3, emailId: newEmailId(1_700_000_000_000), recipientIndex: 49 };

describe("recipient tokens", () => {
  it("come back as what they stand for, and fit a local part with their prefix", async () => {
    const token = await mintToken(KEY, "return-path", ref);
    expect(`b+${token}`.length).toBeLessThanOrEqual(64);
    expect(await readToken(KEY, "return-path", token)).toEqual(ref);
    expect(await readToken(KEY, "return-path", token.toUpperCase())).toEqual(ref);
  });

  it("are refused for another purpose, under another key, and with any character changed", async () => {
    const token = await mintToken(KEY, "return-path", ref);
    expect(await readToken(KEY, "unsubscribe", token)).toBeUndefined();
    expect(await readToken(`${KEY}!`, "return-path", token)).toBeUndefined();
    for (let index = 0; index < token.length; index += 1) {
      const changed = token.slice(0, index) + (token[index] === "a" ? "b" : "a") + token.slice(index + 1);
      expect(await readToken(KEY, "return-path", changed)).toBeUndefined();
    }
    expect(await readToken(KEY, "return-path", "")).toBeUndefined();
    expect(await readToken(KEY, "return-path", token.slice(1))).toBeUndefined();
  });
});
