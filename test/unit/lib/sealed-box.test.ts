// Tests how secrets are encrypted (src/lib/crypto/sealed-box.ts).
import { expect, it } from "vitest";
import { openBox, sealBox } from "../../../src/lib/crypto/sealed-box.ts";

const key = crypto.getRandomValues(new Uint8Array(32));
const otherKey = crypto.getRandomValues(new Uint8Array(32));
const secret = Uint8Array.from([1, 2, 3]);

it("a sealed box opens, even with an empty text", async () => {
  expect(new Uint8Array(await openBox(key, "a row", await sealBox(key, "a row", secret)))).toEqual(
    secret,
  );
  expect(
    (await openBox(key, "a row", await sealBox(key, "a row", new Uint8Array()))).byteLength,
  ).toBe(0);
});

it("the same text sealed twice gives two different boxes", async () => {
  expect(await sealBox(key, "a row", secret)).not.toBe(await sealBox(key, "a row", secret));
});

it("a box does not open with another key or context", async () => {
  const sealed = await sealBox(key, "a row", secret);
  await expect(openBox(otherKey, "a row", sealed)).rejects.toThrow();
  await expect(openBox(key, "another row", sealed)).rejects.toThrow();
  await expect(openBox(key, "", sealed)).rejects.toThrow();
});

it("a damaged box does not open, wherever the damage is", async () => {
  const sealed = await sealBox(key, "a row", secret);
  const bytes = Uint8Array.from(atob(sealed), (character) => character.charCodeAt(0));
  for (let index = 0; index < bytes.length; index += 1) {
    const damaged = bytes.with(index, (bytes[index] ?? 0) ^ 1);
    await expect(openBox(key, "a row", btoa(String.fromCharCode(...damaged)))).rejects.toThrow();
  }
  for (const text of ["", "!", sealed.slice(0, 16), sealed.slice(0, 20)])
    await expect(openBox(key, "a row", text)).rejects.toThrow();
});
