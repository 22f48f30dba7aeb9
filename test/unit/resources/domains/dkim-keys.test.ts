// Tests DKIM keys (src/resources/domains/dkim-keys.ts).
import { expect, it, vi } from "vitest";
import { decodeBase64 } from "../../../../src/lib/crypto/base64.ts";
import { newId } from "../../../../src/lib/ids.ts";
import { generateKeys, signingKeyFor } from "../../../../src/resources/domains/dkim-keys.ts";
import { call, create, env, newTeam, randomName, settings } from "./calls.ts";
import { outsideOfEachTest } from "./outside.ts";
import { everyCore } from "../../../support/every-core.ts";

const encryptionKey = crypto.getRandomValues(new Uint8Array(32));
const domainId = newId("domain");

const outside = outsideOfEachTest();

const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
const importPublic = (base64: string) =>
  crypto.subtle.importKey("spki", decodeBase64(base64)!, RSA, true, ["verify"]);

it("a new domain has one RSA-2048 key per selector, and the first one is active", async () => {
  vi.restoreAllMocks();
  const keys = await generateKeys(encryptionKey, domainId, ["one", "two"]);
  expect(keys.map(({ selector, active }) => [selector, active])).toEqual([
    ["one", true],
    ["two", false],
  ]);
  expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(2);
  for (const { publicKey, privateKeyEncrypted } of keys) {
    const key = await importPublic(publicKey);
    expect((key.algorithm as { modulusLength?: number }).modulusLength).toBe(2048);
    expect(privateKeyEncrypted).not.toContain("MII");
  }
});

it("mail is signed with the key in the first selector's record", async () => {
  const name = randomName();
  const { id } = await create(newTeam(), name);
  const signing = await signingKeyFor(env, settings, id);
  expect(signing).toMatchObject({ domain: name, selector: "ps1" });
  if (!signing) return;
  const data = new TextEncoder().encode("header");
  const signature = await crypto.subtle.sign("RSASSA-PKCS1-v1_5", signing.key, data);
  const record = [...outside.published.values()].find((candidate) =>
    candidate.name.startsWith("ps1."),
  );
  const [, published] = /p=(.*)$/.exec(record!.content.replaceAll(/"( ")?/g, ""))!;
  const publicKey = await importPublic(published!);
  expect(await crypto.subtle.verify("RSASSA-PKCS1-v1_5", publicKey, signature, data)).toBe(true);
  expect(signing.key.extractable).toBe(false);
});

it("an unknown or deleted domain has no key", async () => {
  expect(await signingKeyFor(env, settings, newId("domain"))).toBeUndefined();
  const team = newTeam();
  const { id } = await create(team, randomName());
  expect(await signingKeyFor(env, settings, id)).toBeDefined();
  await call(team, "DELETE /v1/domains/:id", { id });
  expect(await signingKeyFor(env, settings, id)).toBeUndefined();
});

it("a key can't be decrypted with another encryption key", async () => {
  const { id } = await create(newTeam(), randomName());
  const others = { ...settings, keyEncryptionKey: encryptionKey };
  await expect(signingKeyFor(env, others, id)).rejects.toThrow();
});

it("a key that was copied to the row of another domain or selector can't be decrypted", async () => {
  const team = newTeam();
  const own = await create(team, randomName());
  const other = await create(team, randomName());
  const change = (set: string, ...ids: string[]) =>
    everyCore
      .prepare(`UPDATE dkim_keys SET ${set} WHERE domain_id = ?1 AND active = 1`)
      .bind(...ids)
      .run();
  const copied =
    "(SELECT private_key_encrypted FROM dkim_keys WHERE domain_id = ?2 AND active = 1)";
  await change(`private_key_encrypted = ${copied}`, other.id, own.id);
  await expect(signingKeyFor(env, settings, other.id)).rejects.toThrow();
  await change("selector = 'ps9'", own.id);
  await expect(signingKeyFor(env, settings, own.id)).rejects.toThrow();
});

it("a key is imported once per minute", async () => {
  const { id } = await create(newTeam(), randomName());
  const imported = vi.spyOn(crypto.subtle, "importKey");
  const first = await signingKeyFor(env, settings, id);
  const calls = imported.mock.calls.length;
  expect(await signingKeyFor(env, settings, id)).toBe(first);
  expect(imported.mock.calls).toHaveLength(calls);
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000);
  expect(await signingKeyFor(env, settings, id)).not.toBe(first);
});
