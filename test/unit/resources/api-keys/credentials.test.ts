// Tests how an isolate caches API keys for a limited time (src/resources/api-keys/credentials.ts,
// contract.md §API keys).
import { describe, expect, it } from "vitest";
import {
  getCachedCredential,
  forgetCredentials,
  lookUpCredential,
} from "../../../../src/resources/api-keys/credentials.ts";
import { bindings, makeTeam } from "../../../support/api.ts";

const NOW = 1_760_000_000_000;
const ignore = () => {};

describe("a look-up", () => {
  it("is cached for exactly a minute", async () => {
    const { key, id } = await makeTeam();
    expect(await lookUpCredential(bindings, key, NOW, ignore)).toMatchObject({
      caller: { team: { id } },
      allowedIps: null,
    });
    expect(getCachedCredential(key, NOW + 59_999)).toBeDefined();
    expect(getCachedCredential(key, NOW + 60_000)).toBeUndefined();
  });

  it("is not cached when the key changes meanwhile", async () => {
    const { key, id } = await makeTeam();
    const prepare = (sql: string) => {
      // Clears the cache during the look-up, as if the key's change was committed just after the
      // look-up had begun.
      if (sql.startsWith("select")) forgetCredentials(id);
      return bindings.DB.prepare(sql);
    };
    expect(
      await lookUpCredential({ ...bindings, DB: { prepare } as D1Database }, key, NOW, ignore),
    ).toBeDefined();
    expect(getCachedCredential(key, NOW)).toBeUndefined();
    expect(await lookUpCredential(bindings, key, NOW, ignore)).toBeDefined();
    expect(getCachedCredential(key, NOW)).toBeDefined();
  });

  it("finds nothing for an unknown secret", async () => {
    expect(await lookUpCredential(bindings, `ps_${"x".repeat(40)}`, NOW, ignore)).toBeUndefined();
  });
});
