// Tests signing secrets (src/resources/webhooks/webhook-secret.ts, contract.md §Signatures).
import { expect, it } from "vitest";
import { decodeBase64 } from "../../../../src/lib/crypto/base64.ts";
import { newId } from "../../../../src/lib/ids.ts";
import { activeSecrets, mintSecret } from "../../../../src/resources/webhooks/webhook-secret.ts";

const key = crypto.getRandomValues(new Uint8Array(32));

it("a new secret is `whsec_` and the standard, padded base64 of 32 bytes, and differs each time", async () => {
  const minted = await Promise.all(Array.from({ length: 100 }, () => mintSecret(key, newId("wh"))));
  for (const { secret, secretPrefix } of minted) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(decodeBase64(secret.slice(6))).toHaveLength(32);
    expect(secretPrefix).toBe(secret.slice(0, 12));
  }
  expect(new Set(minted.map(({ secret }) => secret)).size).toBe(100);
  // A secret in plain base64 may have these two characters. The URL-safe alphabet would replace
  // them.
  const all = minted.map(({ secret }) => secret.slice(6)).join("");
  expect(all).toContain("+");
  expect(all).toContain("/");
});

it("an encrypted secret can be decrypted only with its own webhook's id and the key", async () => {
  const id = newId("wh");
  const { secret, secretEncrypted } = await mintSecret(key, id);
  const stored = { id, secretEncrypted, previousSecretEncrypted: null, graceExpiresAt: null };
  expect(await activeSecrets(key, stored, 0)).toEqual([secret]);
  expect(atob(secretEncrypted)).not.toContain(secret.slice(6, 16));
  await expect(activeSecrets(key, { ...stored, id: newId("wh") }, 0)).rejects.toThrow();
  await expect(
    activeSecrets(crypto.getRandomValues(new Uint8Array(32)), stored, 0),
  ).rejects.toThrow();
});
