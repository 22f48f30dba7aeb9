// Tests how an isolate caches API keys for a limited time (src/resources/api-keys/credentials.ts,
// contract.md §API keys).
import { describe, expect, it, vi } from "vitest";
import {
  getCachedCredential,
  forgetTeam,
  lookUpCredential,
} from "../../../../src/resources/api-keys/credentials.ts";
import { findSendingDomain } from "../../../../src/resources/domains/domain-lookups.ts";
import { bindings, makeKey, makeTeam } from "../../../support/api.ts";
import { makeSendingDomain } from "../../../support/domain.ts";
import { watchedDatabase } from "../../../support/fakes/watched-database.ts";
import { withCore } from "../../../support/every-core.ts";
import { coreWith } from "../../../../src/db/core-shards.ts";

const NOW = 1_760_000_000_000;
const ignore = () => {};

describe("the look-up of a key", () => {
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
      if (/^(?:select|update) /.test(sql)) forgetTeam(id);
      return coreWith(bindings, id).prepare(sql);
    };
    const watched = { ...bindings, ...withCore(id, watchedDatabase(prepare)) };
    expect(await lookUpCredential(watched, key, NOW, ignore)).toBeDefined();
    expect(getCachedCredential(key, NOW)).toBeUndefined();
    expect(await lookUpCredential(bindings, key, NOW, ignore)).toBeDefined();
    expect(getCachedCredential(key, NOW)).toBeDefined();
  });

  it("brings the domains from which the key may send, so that a send needs no other query", async () => {
    const team = await makeTeam();
    const first = `${crypto.randomUUID()}.example`;
    const limited = await makeKey(team, { allowed_domains: [first] });
    await makeSendingDomain(team.id, first);
    const second = await makeSendingDomain(team.id);
    const prepare = vi.fn((sql: string) => coreWith(bindings, team.id).prepare(sql));
    const db = watchedDatabase(prepare);
    const find = async (name: string) => {
      await findSendingDomain({ db, teamId: team.id }, name);
      return prepare.mock.calls.length;
    };
    const watched = { ...bindings, ...withCore(team.id, db) };
    await lookUpCredential(watched, limited.key, Date.now(), ignore);
    prepare.mockClear();
    expect([await find(first), await find(second)]).toEqual([0, 1]);
  });

  it("finds nothing for an unknown secret", async () => {
    expect(await lookUpCredential(bindings, `ps_${"x".repeat(40)}`, NOW, ignore)).toBeUndefined();
  });
});
