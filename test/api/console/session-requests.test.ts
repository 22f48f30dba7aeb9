// Tests requests with the console's session instead of a key (src/api/console/session-caller.ts):
// which of them /v1 accepts, which key the session stands for, and when the session ends.
import { fc } from "../../support/properties.ts";
import { describe, expect, it, vi } from "vitest";
import { openKey, sealKey } from "../../../src/api/console/session-seal.ts";
import { settingsOf } from "../../../src/settings.ts";
import type { ErrorBody } from "../../support/api.ts";
import {
  bindings,
  call,
  makeTeam,
  ok,
  callDeployment,
  statement,
  makeKey,
} from "../../support/api.ts";
import { makeSendingDomain } from "../../support/domain.ts";
import { errorOf, freshAddress } from "../../support/endpoints.ts";
import { consoleHeaders, ORIGIN, OWN_PAGE } from "./console-calls.ts";

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const settings = settingsOf(bindings);

async function statusOf(
  headers: Record<string, string>,
  { path = "/v1/whoami", ip = "198.51.100.1" } = {},
): Promise<number> {
  const response = await call("GET", path, { headers, ip });
  await response.arrayBuffer();
  return response.status;
}

describe("/v1 with a session", () => {
  it("acts for the team and the key, and records the key's use", async () => {
    const team = await makeTeam({ name: "Acme" });
    const made = await makeKey(team);
    const headers = await consoleHeaders(made.key);
    await statement("UPDATE api_keys SET last_used_at = NULL WHERE id = ?", made.id).run();
    const response = await call("GET", "/v1/whoami", { headers: { ...headers, ...OWN_PAGE } });
    expect(await response.json()).toMatchObject({
      team: { id: team.id, name: "Acme" },
      api_key: { id: made.id, permissions: "full" },
    });
    const shown = () => ok<{ last_used_at: string }>(team.get(`/v1/api-keys/${made.id}`));
    const usedAt = async () => (await shown()).last_used_at;
    await expect.poll(usedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it("sees nothing of another team, and gets 404 for an id of that team", async () => {
    const [mine, theirs] = [await makeTeam(), await makeTeam()];
    const headers = await consoleHeaders(mine.key);
    const path = `/v1/api-keys/${theirs.keyId}`;
    await errorOf(call("GET", path, { headers }), 404, "not_found");
    const list = await (await call("GET", "/v1/api-keys", { headers })).text();
    expect(list).toContain(mine.keyId);
    expect(list).not.toContain(theirs.keyId);
  });

  it("obeys the key's allowed domains and addresses", async () => {
    const team = await makeTeam();
    const [allowed, other] = [await makeSendingDomain(team.id), await makeSendingDomain(team.id)];
    const made = await makeKey(team, { allowed_domains: [allowed] });
    const headers = await consoleHeaders(made.key);
    const send = (domain: string) =>
      call("POST", "/v1/email", {
        headers,
        body: {
          from: `hello@${domain}`,
          to: [`delivered@simulator.${bindings.SERVICE_DOMAIN}`],
          subject: "Hello",
          text: "Hello",
        },
      });
    expect((await send(allowed)).status).toBe(202);
    await errorOf(send(other), 422, "validation_error");
    const change = { name: "A key", permissions: "full", allowed_ips: ["192.0.2.0/24"] };
    await team.patch(`/v1/api-keys/${made.id}`, change);
    expect([
      await statusOf(headers, { ip: "192.0.2.9" }),
      await statusOf(headers, { ip: "192.0.3.9" }),
      await statusOf(headers, { path: "/console/session", ip: "192.0.3.9" }),
    ]).toEqual([200, 403, 403]);
  });
});

describe("a request that another site could cause", () => {
  it.each<[string, Record<string, string>]>([
    ["no header of the console", { "X-Postern-Console": "" }],
    ["another value in the console's header", { "X-Postern-Console": "true" }],
    ["another origin", { Origin: "https://evil.example" }],
    ["a subdomain", { Origin: "https://a.api.postern.test" }],
    ["a frame without an origin", { Origin: "null" }],
    ["plain http", { Origin: "http://api.postern.test" }],
    ["another site", { "Sec-Fetch-Site": "cross-site" }],
    ["a sibling of the site", { "Sec-Fetch-Site": "same-site" }],
    ["the address bar", { "Sec-Fetch-Site": "none" }],
    ["the same origin and another site", { ...OWN_PAGE, "Sec-Fetch-Site": "cross-site" }],
    ["other credentials", { Authorization: "Basic eDp5" }],
    ["empty credentials", { Authorization: "Bearer" }],
  ])("gets 401 with %s", async (_, wrong) => {
    const headers = await consoleHeaders((await makeTeam()).key);
    expect(await statusOf(headers)).toBe(200);
    const request = { headers: { ...headers, ...wrong } };
    await errorOf(call("GET", "/v1/whoami", request), 401, "authentication_error");
  });

  it("gets no CORS headers for a preflight, nor for an answer", async () => {
    const headers = await consoleHeaders((await makeTeam()).key);
    const asked = {
      Origin: "https://evil.example",
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "x-postern-console",
    };
    const preflight = await call("OPTIONS", "/v1/email", { headers: { ...headers, ...asked } });
    const answer = await call("GET", "/v1/whoami", { headers: { ...headers, ...OWN_PAGE } });
    expect([preflight.status, answer.status]).toEqual([405, 200]);
    for (const response of [preflight, answer])
      expect([...response.headers.keys()].filter((name) => name.startsWith("access-"))).toEqual([]);
  });

  it("uses its key and not the cookie, if it has both", async () => {
    const [one, other] = [await makeTeam(), await makeTeam()];
    const headers = await consoleHeaders(one.key);
    const response = await call("GET", "/v1/whoami", { key: other.key, headers });
    expect((await response.json<{ team: { id: string } }>()).team.id).toBe(other.id);
    const ip = freshAddress();
    expect((await call("GET", "/v1/whoami", { key: "guess", headers, ip })).status).toBe(401);
  });
});

describe("a session's end", () => {
  it("comes after 12 hours, to the millisecond", async () => {
    const now = Date.now();
    vi.setSystemTime(now);
    const headers = await consoleHeaders((await makeTeam()).key);
    vi.setSystemTime(now + 43_199_999);
    expect(await statusOf(headers)).toBe(200);
    vi.setSystemTime(now + 43_200_000);
    expect(await statusOf(headers)).toBe(401);
    expect(await statusOf(headers, { path: "/console/session" })).toBe(401);
  });

  it("comes with the key's deletion", async () => {
    const team = await makeTeam();
    const made = await makeKey(team);
    const headers = await consoleHeaders(made.key);
    expect(await statusOf(headers)).toBe(200);
    expect((await call("DELETE", `/v1/api-keys/${made.id}`, { headers })).status).toBe(204);
    expect(await statusOf(headers)).toBe(401);
    expect(await statusOf(headers, { path: "/console/session" })).toBe(401);
  });

  it("comes within a minute after another isolate deletes or changes the key", async () => {
    const now = Date.now();
    vi.setSystemTime(now);
    const { key, keyId } = await makeTeam();
    const headers = await consoleHeaders(key);
    expect(await statusOf(headers, { path: "/v1/api-keys" })).toBe(200);
    await statement("UPDATE api_keys SET permissions = 'send_only' WHERE id = ?", keyId).run();
    vi.setSystemTime(now + 60_000);
    expect(await statusOf(headers, { path: "/v1/api-keys" })).toBe(403);
    await statement("DELETE FROM api_keys WHERE id = ?", keyId).run();
    vi.setSystemTime(now + 120_000);
    expect(await statusOf(headers)).toBe(401);
  });

  it("comes with the team's deletion", async () => {
    const team = await makeTeam();
    const headers = await consoleHeaders(team.key);
    await statement("DELETE FROM teams WHERE id = ?", team.id).run();
    expect(await statusOf(headers)).toBe(401);
  });
});

describe("a cookie that the deployment did not set", () => {
  it("opens nothing with any of its characters changed, and does not count as a failed authentication", async () => {
    const { Cookie = "", ...headers } = await consoleHeaders((await makeTeam()).key);
    const start = Cookie.indexOf("=") + 1;
    const ip = freshAddress();
    for (let at = start; at < Cookie.length; at += 1) {
      const other = BASE64[(BASE64.indexOf(Cookie[at] ?? "") + 1 + (at % 60)) % 64];
      const changed = Cookie.slice(0, at) + other + Cookie.slice(at + 1);
      expect(await statusOf({ ...headers, Cookie: changed }, { ip })).toBe(401);
    }
    expect((await call("GET", "/v1/whoami", { key: "guess", ip })).status).toBe(401);
    expect(await statusOf({ ...headers, Cookie }, { ip })).toBe(200);
  });

  it.each(["", "x", "AAAA", "A".repeat(96), "é", "%00"])("opens nothing as %j", async (value) => {
    const headers = {
      Cookie: `__Host-postern-console=${encodeURI(value)}`,
      "X-Postern-Console": "1",
    };
    expect(await statusOf(headers)).toBe(401);
  });

  it("opens nothing when another deployment set it, or the signing key has changed", async () => {
    const headers = await consoleHeaders((await makeTeam()).key);
    const other = { SIGNING_KEY: "another-signing-key-0123456789abcdef" };
    const ask = async (changes: Record<string, string>) =>
      (await callDeployment(changes, `${ORIGIN}/v1/whoami`, { headers })).status;
    expect([await ask({}), await ask(other)]).toEqual([200, 401]);
  });
});

describe("a sealed session", () => {
  const sealed = {
    id: crypto.randomUUID(),
    teamId: `team_${crypto.randomUUID()}`,
    keyId: `key_${crypto.randomUUID()}`,
    expiresAt: 2_000_000_000_123,
  };

  it("opens to the sealed text, for its own purpose alone", async () => {
    const text = await sealKey(settings, "console session", sealed);
    expect(await openKey(settings, "console session", text, 0)).toEqual(sealed);
    expect(await openKey(settings, "console link", text, 0)).toBeUndefined();
  });

  it("does not open after any of its characters changed", async () => {
    const text = await sealKey(settings, "console session", sealed);
    const changes = fc.array(
      fc.tuple(fc.nat(text.length - 1), fc.constantFrom(...Array.from(`${BASE64}=+ `))),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(changes, async (edits) => {
        const characters = Array.from(text);
        for (const [at, character] of edits) characters[at] = character;
        const changed = characters.join("");
        fc.pre(changed !== text);
        expect(await openKey(settings, "console session", changed, 0)).toBeUndefined();
      }),
    );
  });
});

describe("an answer to a wrong session", () => {
  it("is the same as the answer to a missing key", async () => {
    const headers = { Cookie: "__Host-postern-console=x", "X-Postern-Console": "1" };
    const bodies = await Promise.all(
      [headers, {}].map(async (sent) =>
        (await call("GET", "/v1/whoami", { headers: sent })).json<ErrorBody>(),
      ),
    );
    expect(bodies[0]).toEqual(bodies[1]);
  });
});
