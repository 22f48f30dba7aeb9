// The way in (src/api): every step that a request meets before its endpoint, in the order of
// contract.md §Order of checks.
import { createExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { stopClock } from "../support/held-time.ts";
import { app } from "../../src/api/app.ts";
import { mintSecret } from "../../src/resources/api-keys/key-secret.ts";
import { ADMIN_TOKEN, bindings, call, type ErrorBody, makeTeam } from "../support/api.ts";

const REQUEST_ID = /^req_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let lastAddress = 0;
const freshAddress = () => {
  lastAddress += 1;
  return `203.0.${Math.floor(lastAddress / 250)}.${lastAddress % 250}`;
};

describe("every response", () => {
  it.each([
    ["GET", "/v1/whoami", 401],
    ["GET", "/nowhere", 404],
    ["PUT", "/v1/email", 405],
    ["GET", "/healthz", 200],
  ])("%s %s carries X-Request-Id with its %i", async (method, path, status) => {
    const response = await call(method, path);
    expect(response.status).toBe(status);
    expect(response.headers.get("X-Request-Id")).toMatch(REQUEST_ID);
    await response.arrayBuffer();
  });
});

describe("authentication", () => {
  it("refuses a request without a key", async () => {
    const response = await call("GET", "/v1/whoami");
    expect(response.status).toBe(401);
    expect((await response.json<ErrorBody>()).error.type).toBe("authentication_error");
  });

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

  it.each(["nonsense", "ps_short", `ps_${"a".repeat(40)}`])(
    "refuses the made-up key %s",
    async (key) => {
      const response = await call("GET", "/v1/whoami", { key, ip: freshAddress() });
      expect(response.status).toBe(401);
      expect((await response.json<ErrorBody>()).error.type).toBe("authentication_error");
    },
  );

  it("refuses a well-formed key that does not exist", async () => {
    expect(
      (await call("GET", "/v1/whoami", { key: mintSecret(), ip: freshAddress() })).status,
    ).toBe(401);
  });

  it("shows a key its team and permissions", async () => {
    const team = await makeTeam({ name: "Acme", limits: { daily: 7, monthly: 70 } });
    const response = await call("GET", "/v1/whoami", { key: team.key });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      team: { id: team.id, name: "Acme" },
      api_key: { id: team.keyId, permissions: "full" },
      limits: { daily: 7, monthly: 70, delivery_rate_per_minute: 600 },
    });
  });

  it("notes a key's use without making the request wait", async () => {
    const team = await makeTeam();
    await (await call("GET", "/v1/whoami", { key: team.key })).arrayBuffer();
    const usedAt = () =>
      bindings.DB.prepare("SELECT last_used_at FROM api_keys WHERE id = ?")
        .bind(team.keyId)
        .first<number>("last_used_at");
    await expect.poll(usedAt).toBeGreaterThan(0);
  });

  it("accepts a key only from its allowed addresses, written as blocks or mapped", async () => {
    const team = await makeTeam();
    await bindings.DB.prepare("UPDATE api_keys SET allowed_ips = ? WHERE id = ?")
      .bind(JSON.stringify(["192.0.2.0/24", "2001:db8::/32"]), team.keyId)
      .run();
    const statusFrom = async (ip: string) =>
      (await call("GET", "/v1/whoami", { key: team.key, ip })).status;
    expect(await statusFrom("192.0.2.9")).toBe(200);
    expect(await statusFrom("::ffff:192.0.2.9")).toBe(200);
    expect(await statusFrom("2001:db8:1::1")).toBe(200);
    expect(await statusFrom("192.0.3.9")).toBe(403);
    expect(await statusFrom("2001:db9::1")).toBe(403);
  });
});

describe("permission", () => {
  it("keeps a send_only key to sending and whoami", async () => {
    const team = await makeTeam();
    await bindings.DB.prepare("UPDATE api_keys SET permissions = 'send_only' WHERE id = ?")
      .bind(team.keyId)
      .run();
    expect((await call("GET", "/v1/whoami", { key: team.key })).status).toBe(200);
    const response = await call("GET", "/v1/events", { key: team.key });
    expect(response.status).toBe(403);
    expect((await response.json<ErrorBody>()).error.type).toBe("permission_error");
  });

  it("answers 402 to every endpoint of a team without a subscription", async () => {
    const team = await makeTeam({ subscription: "inactive" });
    for (const [method, path] of [
      ["GET", "/v1/whoami"],
      ["GET", "/v1/events"],
      ["POST", "/v1/email"],
    ] as const) {
      const response = await call(method, path, {
        key: team.key,
        ...(method === "POST" ? { body: {} } : {}),
      });
      expect(response.status).toBe(402);
      expect((await response.json<ErrorBody>()).error.type).toBe("subscription_required");
      expect(response.headers.has("Retry-After")).toBe(false);
    }
  });

  it("limits a team's requests a second and says so in the headers", async () => {
    stopClock();
    const team = await makeTeam({ limits: { requests_per_second: 2 } });
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => call("GET", "/v1/whoami", { key: team.key })),
    );
    const refused = responses.filter(({ status }) => status === 429);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(refused).toHaveLength(4);
    expect(await refused[0]?.json()).toEqual({
      error: "rate_limit_exceeded",
      message: expect.any(String),
    });
    expect(refused[0]?.headers.get("Retry-After")).toBe("1");
    for (const response of responses) expect(response.headers.get("RateLimit-Limit")).toBe("2");
  });
});

describe("bodies", () => {
  const team = makeTeam();
  const LIMIT = 5 * 1024 * 1024;

  it("are refused over 5 MB before authentication, by Content-Length or by counting", async () => {
    const big = new Uint8Array(LIMIT + 1).fill(0x20);
    const streamed = new ReadableStream({
      start(controller) {
        controller.enqueue(big);
        controller.close();
      },
    });
    for (const raw of [big, streamed]) {
      const response = await call("POST", "/v1/email", { raw });
      expect(response.status).toBe(413);
      expect(await response.text()).toBe('{"error":"payload_too_large"}');
    }
  });

  it("are accepted at exactly 5 MB", async () => {
    const { key } = await team;
    const exact = new Uint8Array(LIMIT).fill(0x20);
    expect((await call("POST", "/v1/email", { key, raw: exact })).status).toBe(400);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp"])(
    "answers 415 to %s",
    async (type) => {
      const { key } = await team;
      const response = await call("POST", "/v1/email", {
        key,
        raw: "{}",
        headers: { "Content-Type": type },
      });
      expect(response.status).toBe(415);
      expect((await response.json<ErrorBody>()).error.type).toBe("validation_error");
    },
  );

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
    const response = await call("POST", path, {
      key,
      raw: new TextEncoder().encode("{}"),
      headers: { "Content-Type": type },
    });
    expect(response.status).toBe(415);
    expect((await response.json<ErrorBody>()).error.errors).toEqual({ content_type: [words] });
  });

  it("answers 415 to a compressed body", async () => {
    const { key } = await team;
    expect(
      (await call("POST", "/v1/email", { key, raw: "{}", headers: { "Content-Encoding": "gzip" } }))
        .status,
    ).toBe(415);
  });

  it.each(["", "{", "[]", "null", '"text"', "{} {}", '{"a":1e400}x'])(
    "answers 400 on `body` to %j",
    async (raw) => {
      const { key } = await makeTeam();
      const send = await call("POST", "/v1/email", { key, raw: raw === "" ? " " : raw });
      expect(send.status).toBe(400);
      expect((await send.json<ErrorBody>()).error.errors).toHaveProperty("body");
      const operator = await call("POST", "/admin/teams", {
        key: ADMIN_TOKEN,
        raw: raw === "" ? " " : raw,
      });
      expect(operator.status).toBe(400);
      expect((await operator.json<ErrorBody>()).error.errors).toHaveProperty("body");
    },
  );
});

describe("paths and methods", () => {
  it("answers 404 in the envelope to an unknown path", async () => {
    const response = await call("GET", "/v1/nothing");
    expect(response.status).toBe(404);
    expect((await response.json<ErrorBody>()).error.type).toBe("not_found");
  });

  it.each([
    ["GET", "/v1/emails", "No such endpoint: GET /v1/emails. Did you mean GET /v1/email?"],
    ["POST", "/v3/mail/send", "No such endpoint: POST /v3/mail/send. Did you mean POST /v1/email?"],
    ["POST", "/email", "No such endpoint: POST /email. Did you mean POST /v1/email?"],
    ["POST", "/v1/email/", "No such endpoint: POST /v1/email/. Did you mean POST /v1/email?"],
    ["GET", "/v1/apikeys", "No such endpoint: GET /v1/apikeys. Did you mean GET /v1/api-keys?"],
    [
      "GET",
      "/v1/template/template_x",
      "No such endpoint: GET /v1/template/template_x. Did you mean GET /v1/templates/{id}?",
    ],
    [
      "POST",
      "/v1/domains/domain_x/verfy",
      "No such endpoint: POST /v1/domains/domain_x/verfy. Did you mean POST " +
        "/v1/domains/{id}/verify?",
    ],
    ["GET", "/v2/whoami", "No such endpoint: GET /v2/whoami. Did you mean GET /v1/whoami?"],
    ["GET", "/admin/team", "No such endpoint: GET /admin/team. Did you mean GET /admin/teams?"],
    ["GET", "/gateway/keys", "No such endpoint: GET /gateway/keys."],
    ["GET", "/gateway/key", "No such endpoint: GET /gateway/key."],
    ["GET", "/v1/nothing", "No such endpoint: GET /v1/nothing."],
    ["GET", "/%3Cscript%3E", "No such endpoint: GET /%3Cscript%3E."],
    ["GET", `/${"x".repeat(1_000)}`, `No such endpoint: GET /${"x".repeat(199)}....`],
  ])("names the nearest endpoint to %s %s, where one is near", async (method, path, message) => {
    const response = await call(method, path);
    expect(response.status).toBe(404);
    expect((await response.json<ErrorBody>()).error).toEqual({ type: "not_found", message });
  });

  it("names no operator's endpoint while no ADMIN_TOKEN is set", async () => {
    const ask = async (path: string) => {
      const env = { ...bindings, ADMIN_TOKEN: "" };
      const response = await app.fetch(
        new Request(`https://api.postern.test${path}`),
        env,
        createExecutionContext(),
      );
      return [response.status, (await response.json<ErrorBody>()).error.message];
    };
    expect(await ask("/admin/team")).toEqual([404, "No such endpoint: GET /admin/team."]);
    expect(await ask("/admin/teams")).toEqual([404, "No such endpoint: GET /admin/teams."]);
  });

  it("answers 405 with the methods that are served", async () => {
    const response = await call("DELETE", "/v1/email");
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("POST, GET");
    expect((await response.json<ErrorBody>()).error.type).toBe("method_not_allowed");
  });
});

describe("lists", () => {
  it.each(["0", "101", "-1", "1.5", "ten"])("answers 422 to limit=%s", async (limit) => {
    const { key } = await makeTeam();
    const response = await call("GET", `/v1/events?limit=${limit}`, { key });
    expect(response.status).toBe(422);
    expect((await response.json<ErrorBody>()).error.errors).toHaveProperty("limit");
  });

  it("pages from the newest to the oldest without gaps or repeats", async () => {
    const made = [];
    for (let index = 0; index < 5; index += 1) made.push((await makeTeam()).id);
    const seen: string[] = [];
    let after = "";
    for (let page = 0; page < 100 && !made.every((id) => seen.includes(id)); page += 1) {
      const response = await call("GET", `/admin/teams?limit=2${after}`, { key: ADMIN_TOKEN });
      const list = await response.json<{
        data: { id: string }[];
        has_more: boolean;
        next_cursor: string | null;
      }>();
      expect(list.has_more).toBe(list.next_cursor !== null);
      seen.push(...list.data.map(({ id }) => id));
      if (list.next_cursor === null) break;
      after = `&after=${list.next_cursor}`;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(made));
  });

  it("refuses a cursor that is forged, of another team or of another endpoint", async () => {
    await makeTeam();
    await makeTeam();
    const { key } = await makeTeam();
    const { next_cursor: cursor } = await (
      await call("GET", "/admin/teams?limit=1", { key: ADMIN_TOKEN })
    ).json<{ next_cursor: string }>();
    for (const after of [cursor, "forged", `${cursor}A`, "!"]) {
      const response = await call("GET", `/v1/events?after=${after}`, { key });
      expect(response.status).toBe(422);
      expect((await response.json<ErrorBody>()).error.errors).toHaveProperty("after");
    }
  });
});
