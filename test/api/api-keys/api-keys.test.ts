// Tests /v1/api-keys through the worker's fetch handler: listing, reading, changing and deleting
// keys (src/resources/api-keys, contract.md §API keys).
import { describe, expect, it } from "vitest";
import { forgetTeam, lookUpCredential } from "../../../src/resources/api-keys/credentials.ts";
import { bindings, busyTeam, errorsOf, ok, statement } from "../../support/api.ts";
import { SENDING, patch, statusOf, create } from "./api-key-calls.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const team = ofEachTest(busyTeam);

describe("an API key", () => {
  it("has its use recorded once in ten minutes, however many isolates look it up", async () => {
    const made = await create(team);
    const start = Date.now();
    const noted: (number | null)[] = [];
    for (const minutes of [0, 2, 9, 10, 11, 21]) {
      // The primary answers up to minute 10, as after a change. A replica answers later.
      if (minutes < 11) forgetTeam(team.id);
      const work: Promise<unknown>[] = [];
      const at = start + minutes * 60_000;
      await lookUpCredential(bindings, made.key, at, (update) => work.push(update));
      await Promise.all(work);
      const { usedAt } = (await statement(
        "SELECT (last_used_at - ?1) / 60000 AS usedAt FROM api_keys WHERE id = ?2",
        start,
        made.id,
      ).first<{ usedAt: number }>())!;
      noted.push(usedAt);
    }
    expect(noted).toEqual([0, 0, 0, 10, 10, 21]);
  });
});

describe("changing a key", () => {
  it("replaces name, permissions and restrictions, keeps the secret, and lifts restrictions that are left out", async () => {
    const wish = { ...SENDING, allowed_domains: ["a.test"], allowed_ips: ["198.51.100.40"] };
    const made = await create(team, wish);
    const { key, ...before } = made;
    expect(
      await ok(
        patch(team, made.id, {
          name: "both",
          permissions: "full",
          allowed_domains: ["B.test"],
          allowed_ips: ["198.51.100.0/24"],
          key: "x",
        }),
      ),
    ).toEqual({
      ...before,
      name: "both",
      permissions: "full",
      allowed_domains: ["b.test"],
      allowed_ips: ["198.51.100.0/24"],
    });
    expect(await statusOf(key, "/v1/api-keys")).toBe(200);
    expect(await ok(patch(team, made.id, { ...SENDING, allowed_domains: [] }))).toMatchObject({
      allowed_domains: null,
      allowed_ips: null,
    });
    const change = { ...SENDING, allowed_domains: ["a.test"], allowed_ips: ["198.51.100.40"] };
    await patch(team, made.id, change);
    expect(await ok(patch(team, made.id, { ...SENDING, allowed_ips: null }))).toMatchObject({
      allowed_domains: null,
      allowed_ips: null,
    });
  });

  it("takes effect on the next request, permissions and addresses alike", async () => {
    const made = await create(team, { name: "full", permissions: "full" });
    expect(await statusOf(made.key, "/v1/api-keys")).toBe(200);
    await patch(team, made.id, SENDING);
    expect(await statusOf(made.key, "/v1/api-keys")).toBe(403);
    await patch(team, made.id, { ...SENDING, allowed_ips: ["203.0.113.0/24"] });
    expect(await statusOf(made.key)).toBe(403);
    expect(await statusOf(made.key, "/v1/whoami", "203.0.113.77")).toBe(200);
    await patch(team, made.id, SENDING);
    expect(await statusOf(made.key)).toBe(200);
  });
});

describe("deleting a key", () => {
  it("stops the key at once, although this isolate had it cached", async () => {
    const made = await create(team);
    expect(await statusOf(made.key)).toBe(200);
    const response = await team.delete(`/v1/api-keys/${made.id}`);
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
    expect(await statusOf(made.key, "/v1/whoami", "203.0.113.210")).toBe(401);
    await errorsOf(team.delete(`/v1/api-keys/${made.id}`), 404);
    await errorsOf(patch(team, made.id, SENDING), 404);
    await errorsOf(team.get(`/v1/api-keys/${made.id}`), 404);
  });

  it("lets a team's last full key delete itself", async () => {
    expect((await team.delete(`/v1/api-keys/${team.keyId}`)).status).toBe(204);
    expect(await statusOf(team.key, "/v1/api-keys", "203.0.113.211")).toBe(401);
  });
});
