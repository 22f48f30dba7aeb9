// Tests signed tokens (src/lib/crypto/signed-token.ts). Anyone can read a token, only the service
// can make one, and each token has only one valid spelling.
import { describe, expect, it } from "vitest";
import { openToken, sealToken } from "../../../src/lib/crypto/signed-token.ts";

const KEY = "a signing key of more than 32 characters";
const BODY = Uint8Array.from({ length: 40 }, (_, index) => index * 6);

describe("signed tokens", () => {
  it("open to their body, even an empty one", async () => {
    expect(await openToken(KEY, "p", await sealToken(KEY, "p", BODY))).toEqual(BODY);
    expect(await openToken(KEY, "p", await sealToken(KEY, "p", new Uint8Array()))).toEqual(
      new Uint8Array(),
    );
    expect(
      await openToken(KEY, "p", await sealToken(KEY, "p", BODY, "host.example"), "host.example"),
    ).toEqual(BODY);
  });

  it("are valid for one key, one purpose and one context only", async () => {
    const token = await sealToken(KEY, "p", BODY, "host.example");
    expect(await openToken(KEY, "p", token)).toBeUndefined();
    expect(await openToken(KEY, "p", token, "host.example.")).toBeUndefined();
    expect(await openToken(KEY, "q", token, "host.example")).toBeUndefined();
    expect(await openToken(`${KEY}!`, "p", token, "host.example")).toBeUndefined();
  });

  it("separate the context from the body", async () => {
    const token = await sealToken(KEY, "p", Uint8Array.from([97, 0, 98]));
    expect(await openToken(KEY, "p", token, "a")).toBeUndefined();
  });

  it("are refused with any character changed, added or removed", async () => {
    const token = await sealToken(KEY, "p", BODY.subarray(0, 38));
    for (let index = 0; index < token.length; index += 1) {
      for (const other of ["A", "b", "-", "!"]) {
        if (token[index] === other) continue;
        expect(
          await openToken(KEY, "p", token.slice(0, index) + other + token.slice(index + 1)),
        ).toBeUndefined();
      }
      expect(
        await openToken(KEY, "p", token.slice(0, index) + token.slice(index + 1)),
      ).toBeUndefined();
    }
    for (const text of [
      "",
      "A",
      `${token}=`,
      `${token}A`,
      ` ${token}`,
      `${token}\n`,
      token.toUpperCase(),
      "é".repeat(80),
    ])
      expect(await openToken(KEY, "p", text)).toBeUndefined();
  });

  it("have no second spelling in the other alphabet", async () => {
    for (let seed = 0; ; seed += 1) {
      const token = await sealToken(KEY, "p", Uint8Array.of(seed));
      if (!/[-_]/.test(token)) continue;
      expect(
        await openToken(KEY, "p", token.replaceAll("-", "+").replaceAll("_", "/")),
      ).toBeUndefined();
      return;
    }
  });
});
