// Tests the middleware (src/api): every step that a request passes before its endpoint, in the
// order of contract.md §Order of checks.
import { describe, expect, it } from "vitest";
import {
  ADMIN_TOKEN,
  call,
  type ErrorBody,
  errorsOf,
  everyPage,
  makeTeam,
  ok,
  operator,
  callDeployment,
} from "../support/api.ts";
import { freshAddress, errorOf } from "../support/endpoints.ts";

const REQUEST_ID = /^req_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("every response", () => {
  it.each([
    ["GET", "/v1/whoami", 401],
    ["GET", "/nowhere", 404],
    ["PUT", "/v1/email", 405],
    ["GET", "/healthz", 200],
  ])("to %s %s has an X-Request-Id, with the status %i", async (method, path, status) => {
    const response = await call(method, path);
    expect(response.status).toBe(status);
    expect(response.headers.get("X-Request-Id")).toMatch(REQUEST_ID);
    await response.arrayBuffer();
  });
});

describe("authentication", () => {
  it("names the credential that is needed: an API key or the admin token", async () => {
    const { key } = await makeTeam();
    const messageOf = async (response: Response) =>
      (await response.json<ErrorBody>()).error.message;
    const ip = freshAddress();
    expect(await messageOf(await call("GET", "/v1/whoami", { ip }))).toBe(
      "An API key is required: send `Authorization: Bearer <API_KEY>`.",
    );
    expect(await messageOf(await call("GET", "/v1/whoami", { key: "x", ip }))).toBe(
      "The API key is not valid.",
    );
    expect(await messageOf(await call("GET", "/admin/teams", { ip }))).toBe(
      "The admin token is required: send `Authorization: Bearer <ADMIN_TOKEN>`.",
    );
    expect(await messageOf(await call("GET", "/admin/teams", { key, ip }))).toBe(
      "The admin token is not valid: /admin takes the ADMIN_TOKEN of this deployment, not an " +
        "API key.",
    );
  });

  it("shows a key its team and permissions", async () => {
    const team = await makeTeam({ name: "Acme", limits: { daily: 7, monthly: 70 } });
    expect(await ok(team.get("/v1/whoami"))).toEqual({
      team: { id: team.id, name: "Acme" },
      api_key: { id: team.keyId, permissions: "full" },
      limits: { daily: 7, monthly: 70, delivery_rate_per_minute: 600 },
    });
  });
});

describe("bodies", () => {
  const team = makeTeam();
  const LIMIT = 5 * 1024 * 1024;

  it("are accepted at exactly 5 MB, and no larger", async () => {
    const { key } = await team;
    const exact = new Uint8Array(LIMIT).fill(0x20);
    expect((await call("POST", "/v1/email", { key, raw: exact })).status).toBe(400);
    const larger = await call("POST", "/v1/email", { raw: new Uint8Array(LIMIT + 1) });
    expect([larger.status, await larger.text()]).toEqual([413, '{"error":"payload_too_large"}']);
  });

  it.each([
    ["/v1/email", "", "is missing; send `Content-Type: application/json`"],
    ["/v1/templates", "", "is missing; send `Content-Type: application/json`"],
    ["/v1/suppressions/import", "", "is missing; send `Content-Type: text/csv`"],
    ["/v1/email", "text/plain", "must be application/json; received text/plain"],
    [
      "/v1/webhooks",
      "application/x-www-form-urlencoded",
      "must be application/json; received application/x-www-form-urlencoded",
    ],
    [
      "/v1/email",
      `text/${"x".repeat(1_000)}`,
      `must be application/json; received text/${"x".repeat(95)}`,
    ],
  ])("explain the 415 to a POST to %s with the Content-Type %j", async (path, type, words) => {
    const { key } = await team;
    const request = { key, raw: new TextEncoder().encode("{}"), headers: { "Content-Type": type } };
    expect(await errorsOf(call("POST", path, request), 415)).toEqual({ content_type: [words] });
  });
});

describe("paths and methods", () => {
  it.each([
    ["GET", "/v1/emails", "No such endpoint: GET /v1/emails. Did you mean GET /v1/email?"],
    ["GET", "/admin/team", "No such endpoint: GET /admin/team. Did you mean GET /admin/teams?"],
    ["GET", "/gateway/key", "No such endpoint: GET /gateway/key."],
    ["GET", "/v1/nothing", "No such endpoint: GET /v1/nothing."],
    ["GET", "/%3Cscript%3E", "No such endpoint: GET /%3Cscript%3E."],
    ["GET", `/${"x".repeat(1_000)}`, `No such endpoint: GET /${"x".repeat(199)}....`],
  ])(
    "names the nearest endpoint to %s %s, if an endpoint is near",
    async (method, path, message) => {
      const error = await errorOf(call(method, path), 404, "not_found");
      expect(error).toEqual({ type: "not_found", message });
    },
  );

  it("names no operator's endpoint while no ADMIN_TOKEN is set", async () => {
    const ask = async (path: string) => {
      const url = `https://api.postern.test${path}`;
      const response = await callDeployment({ ADMIN_TOKEN: "" }, url);
      return [response.status, (await response.json<ErrorBody>()).error.message];
    };
    expect(await ask("/admin/team")).toEqual([404, "No such endpoint: GET /admin/team."]);
    expect(await ask("/admin/teams")).toEqual([404, "No such endpoint: GET /admin/teams."]);
  });
});

describe("lists", () => {
  it("go from the newest to the oldest without gaps or repeats", async () => {
    const made = [];
    for (let index = 0; index < 5; index += 1) made.push((await makeTeam()).id);
    const teams = await everyPage<{ id: string }>("/admin/teams?limit=2", ADMIN_TOKEN);
    const seen = teams.map(({ id }) => id);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(made));
  });

  it("refuse a cursor that is forged, of another team or of another endpoint", async () => {
    await makeTeam();
    await makeTeam();
    const { key } = await makeTeam();
    const { next_cursor: cursor } = await ok<{ next_cursor: string }>(
      operator.get("/admin/teams?limit=1"),
    );
    for (const after of [cursor, "forged", `${cursor}A`, "!"]) {
      expect(await errorsOf(call("GET", `/v1/events?after=${after}`, { key }))).toHaveProperty(
        "after",
      );
    }
  });
});
