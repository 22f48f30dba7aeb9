// An isolate remembers keys for a bounded time (src/resources/api-keys/credentials.ts, contract.md
// §API keys).
import { describe, expect, it } from "vitest";
import {
  cachedCredential,
  forgetCredentials,
  lookUpCredential,
} from "../../../../src/resources/api-keys/credentials.ts";
import { bindings, makeTeam } from "../../../support/api.ts";

const NOW = 1_760_000_000_000;
const ignore = () => {};

describe("a look-up", () => {
  it("is remembered for a minute and no longer", async () => {
    const { key, id } = await makeTeam();
    expect(await lookUpCredential(bindings, key, NOW, ignore)).toMatchObject({
      caller: { team: { id } },
      allowedIps: null,
    });
    expect(cachedCredential(key, NOW + 59_999)).toBeDefined();
    expect(cachedCredential(key, NOW + 60_000)).toBeUndefined();
  });

  it("is not remembered when the key changed while it was under way", async () => {
    const { key, id } = await makeTeam();
    const prepare = (sql: string) => {
      // The change is committed after the look-up has begun, and forgotten before it ends.
      if (sql.startsWith("select")) forgetCredentials(id);
      return bindings.DB.prepare(sql);
    };
    expect(
      await lookUpCredential({ ...bindings, DB: { prepare } as D1Database }, key, NOW, ignore),
    ).toBeDefined();
    expect(cachedCredential(key, NOW)).toBeUndefined();
    expect(await lookUpCredential(bindings, key, NOW, ignore)).toBeDefined();
    expect(cachedCredential(key, NOW)).toBeDefined();
  });

  it("finds nothing for a secret that nobody was given", async () => {
    expect(await lookUpCredential(bindings, `ps_${"x".repeat(40)}`, NOW, ignore)).toBeUndefined();
  });
});
