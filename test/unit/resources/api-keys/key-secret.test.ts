// Tests the secrets of API keys (src/resources/api-keys/key-secret.ts, contract.md §API keys).
import { describe, expect, it } from "vitest";
import {
  coreShardOfSecret,
  mintSecret,
  prefixOf,
} from "../../../../src/resources/api-keys/key-secret.ts";

/** Secrets that were made before there were several core shards. */
const OLD = [
  "ps_17AqwdlbZ3xrYgAISyo8BNiTImKDrmHaXk2xu5ww",
  "ps_2h1rSTHLg0wh2iWRvkPwTfS9Bub9xaZmQk41fbH6",
];

describe("the secrets of API keys", () => {
  it("have the form of the contract and a valid checksum, and never repeat", () => {
    const secrets = Array.from({ length: 200 }, () => mintSecret());
    for (const secret of secrets) {
      expect(secret).toMatch(/^ps_[0-9A-Za-z]{40}$/);
      expect(coreShardOfSecret(secret)).toBe(0);
      expect(prefixOf(secret)).toBe(secret.slice(0, 12));
    }
    expect(new Set(secrets).size).toBe(200);
  });

  it("are distinguished from invented ones without a look-up", () => {
    const secret = mintSecret();
    for (let index = 3; index < secret.length; index += 1) {
      expect(
        coreShardOfSecret(
          secret.slice(0, index) + (secret[index] === "x" ? "y" : "x") + secret.slice(index + 1),
        ),
      ).toBeUndefined();
    }
  });

  it("for another core shard than 0 name that shard by their first character", () => {
    for (let shard = 1; shard < 16; shard += 1) {
      const secret = mintSecret(shard);
      expect(secret).toMatch(/^ps_[0-9A-Za-z]{40}$/);
      expect(secret[3]).toBe("0123456789ABCDEF"[shard]);
      expect(coreShardOfSecret(secret)).toBe(shard);
      // The checksum covers the first character, so the secret with another one is not valid.
      expect(coreShardOfSecret(`ps_0${secret.slice(4)}`)).toBeUndefined();
    }
  });

  it("that an earlier version made are on core shard 0, whatever their first character", () => {
    for (const secret of OLD) expect(coreShardOfSecret(secret)).toBe(0);
  });
});
