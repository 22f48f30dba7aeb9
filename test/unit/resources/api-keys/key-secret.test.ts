// Tests the secrets of API keys (src/resources/api-keys/key-secret.ts, contract.md §API keys).
import { describe, expect, it } from "vitest";
import {
  hasSecretFormat,
  mintSecret,
  prefixOf,
} from "../../../../src/resources/api-keys/key-secret.ts";

describe("secrets", () => {
  it("have the form of the contract and a valid checksum, and never repeat", () => {
    const secrets = Array.from({ length: 200 }, mintSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^ps_[0-9A-Za-z]{40}$/);
      expect(hasSecretFormat(secret)).toBe(true);
      expect(prefixOf(secret)).toBe(secret.slice(0, 12));
    }
    expect(new Set(secrets).size).toBe(200);
  });

  it("are distinguished from invented ones without a look-up", () => {
    const secret = mintSecret();
    for (let index = 3; index < secret.length; index += 1) {
      expect(
        hasSecretFormat(
          secret.slice(0, index) + (secret[index] === "x" ? "y" : "x") + secret.slice(index + 1),
        ),
      ).toBe(false);
    }
  });
});
