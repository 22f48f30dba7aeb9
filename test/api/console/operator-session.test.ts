// Tests the operator's session (src/api/console/session-seal.ts): /admin accepts it instead of the
// ADMIN_TOKEN, but only from the console's own pages.
import { describe, expect, it, vi } from "vitest";
import { ADMIN_TOKEN, call, makeTeam, callDeployment } from "../../support/api.ts";
import { errorOf, freshAddress } from "../../support/endpoints.ts";
import {
  consoleHeaders,
  operatorHeaders,
  ORIGIN,
  OWN_PAGE,
  postSession,
  postSessionTo,
} from "./console-calls.ts";

const TEAMS = "/admin/teams?limit=1";

const statusOf = async (headers: Record<string, string>, path = TEAMS) =>
  (await call("GET", path, { headers })).status;

describe("POST /console/session with the admin token", () => {
  it("sets a cookie with another name than a team's, and answers when the session ends", async () => {
    vi.setSystemTime(Date.now());
    const response = await postSession({ admin_token: ADMIN_TOKEN });
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toHaveLength(1);
    expect(response.headers.get("Set-Cookie")).toMatch(
      /^__Host-postern-operator=[\w-]{54}; HttpOnly; Secure; SameSite=Strict; Path=\/; Max-Age=43200$/,
    );
    const expires_at = new Date(Date.now() + 43_200_000).toISOString();
    expect(await response.json()).toEqual({ team: null, api_key: null, expires_at });
  });

  it("counts a wrong token together with wrong tokens at /admin, and separately from wrong keys", async () => {
    const ip = freshAddress();
    for (let guess = 0; guess < 20; guess += 1)
      expect((await postSession({ admin_token: `guess ${guess}` }, ip)).status).toBe(401);
    await errorOf(postSession({ admin_token: "guess" }, ip), 403, "permission_error");
    expect((await call("GET", TEAMS, { key: "guess", ip })).status).toBe(403);
    expect((await postSession({ key: "guess" }, ip)).status).toBe(401);
    expect((await postSession({ admin_token: ADMIN_TOKEN }, ip)).status).toBe(200);
  });

  it("refuses every token while no ADMIN_TOKEN is set", async () => {
    for (const token of [ADMIN_TOKEN, "null"]) {
      const response = await postSessionTo({ ADMIN_TOKEN: "" }, ORIGIN, { admin_token: token });
      await errorOf(response, 401, "authentication_error");
    }
  });
});

describe("/admin with the operator's session", () => {
  it("reads and writes as with the token", async () => {
    const headers = { ...(await operatorHeaders()), ...OWN_PAGE };
    expect(await statusOf(headers)).toBe(200);
    expect(await statusOf(headers, "/admin/metrics")).toBe(200);
    const made = await call("POST", "/admin/teams", { headers, body: { name: "By the console" } });
    expect(made.status).toBe(201);
  });

  it.each<[string, Record<string, string>]>([
    ["no header of the console", { "X-Postern-Console": "" }],
    ["another origin", { Origin: "https://evil.example" }],
    ["another site", { "Sec-Fetch-Site": "cross-site" }],
    ["other credentials", { Authorization: "Basic eDp5" }],
    ["a changed cookie", { Cookie: `__Host-postern-operator=${"A".repeat(54)}` }],
  ])("answers 401 to a request with %s", async (_, wrong) => {
    const headers = { ...(await operatorHeaders()), ...wrong };
    await errorOf(call("GET", TEAMS, { headers }), 401, "authentication_error");
  });

  it("refuses a team's session, and /v1 refuses the operator's session", async () => {
    const team = await consoleHeaders((await makeTeam()).key);
    const operator = await operatorHeaders();
    expect(await statusOf(team)).toBe(401);
    expect(await statusOf(operator, "/v1/whoami")).toBe(401);
    const swapped = [
      { ...team, Cookie: (team["Cookie"] ?? "").replace("-console=", "-operator=") },
      { ...operator, Cookie: (operator["Cookie"] ?? "").replace("-operator=", "-console=") },
    ] as const;
    expect(await statusOf(swapped[0])).toBe(401);
    expect(await statusOf(swapped[1], "/v1/whoami")).toBe(401);
  });

  it("ends every session when the token is changed, or unset", async () => {
    const headers = await operatorHeaders();
    const ask = async (token: string) =>
      (await callDeployment({ ADMIN_TOKEN: token }, ORIGIN + TEAMS, { headers })).status;
    expect([
      await ask(ADMIN_TOKEN),
      await ask("another-admin-token-0123456789abcdef"),
      await ask(""),
    ]).toEqual([200, 401, 404]);
  });

  it("ends a session after 12 hours", async () => {
    const now = Date.now();
    vi.setSystemTime(now);
    const headers = await operatorHeaders();
    vi.setSystemTime(now + 43_199_999);
    expect(await statusOf(headers)).toBe(200);
    vi.setSystemTime(now + 43_200_000);
    expect(await statusOf(headers)).toBe(401);
  });
});
