// Tests the rules that every endpoint keeps (contract.md §Errors, contract.md §Authentication). The
// tests run over the endpoints table, so they cover a new endpoint without naming it. One request
// to each endpoint shows that the checks run. More requests to one endpoint of each kind show the
// details of the checks. call() also checks each response against the OpenAPI document.
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/held-time.ts";
import type { Endpoint } from "../../src/endpoint.ts";
import { mintSecret } from "../../src/resources/api-keys/key-secret.ts";
import { ADMIN_TOKEN, call, makeTeam, makeKey, busyTeam } from "../support/api.ts";
import {
  errorOf,
  makeResource,
  forKeys,
  forOperators,
  freshAddress,
  isForOperators,
  named,
  oneOfEachKind,
  pathOf,
  published,
  request,
  withBody,
} from "../support/endpoints.ts";
import { ofFile } from "../support/before-tests.ts";

const team = ofFile(busyTeam);
const other = ofFile(busyTeam);
let sendOnly: string;
let confined: string;
const unsubscribed = ofFile(() => makeTeam({ subscription: "inactive" }));
const slow = ofFile(() => makeTeam({ limits: { requests_per_second: 1 } }));
let blocked: string;

beforeEach(() => {
  // The network is down, so the service publishes no DNS records.
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network"));
});

beforeAll(async () => {
  sendOnly = (await makeKey(team, { permissions: "send_only" })).key;
  confined = (await makeKey(team, { allowed_ips: ["192.0.2.1"] })).key;
  blocked = freshAddress();
  for (let guess = 0; guess < 20; guess += 1)
    for (const path of ["/v1/whoami", "/admin/teams"])
      await call("GET", path, { key: `guess-${guess}`, ip: blocked });
});

const unknown = (response: Promise<Response>) => errorOf(response, 401, "authentication_error");
const invalid = (response: Promise<Response>, status: number) =>
  errorOf(response, status, "validation_error");
const keyFor = (endpoint: Endpoint): string => (isForOperators(endpoint) ? ADMIN_TOKEN : team.key);

describe("401", () => {
  it.each(named(published))(
    "%s asks for credentials before it checks anything else",
    async (_, endpoint) => {
      const response = await request(
        endpoint,
        endpoint.method === "GET" ? {} : { raw: "{", headers: { "Content-Type": "text/plain" } },
      );
      await errorOf(response, 401, "authentication_error");
      expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(response.headers.has("RateLimit-Limit")).toBe(false);
    },
  );

  it.each(oneOfEachKind(published))(
    "%s refuses a well-formed key that does not exist",
    async (_, endpoint) => {
      const ip = freshAddress();
      await unknown(request(endpoint, { key: mintSecret(), ip }));
    },
  );

  it.each(oneOfEachKind(published))(
    "%s refuses an admin token in place of a key, or a key in place of the token",
    async (_, endpoint) => {
      const key = isForOperators(endpoint) ? team.key : ADMIN_TOKEN;
      await unknown(request(endpoint, { key, ip: freshAddress() }));
    },
  );

  it.each(["", "Bearer", "Bearer ", "Basic c2VydmljZTp4", "bearer a b", "Token x"])(
    "treats the header %j as missing credentials",
    async (Authorization) => {
      await unknown(call("GET", "/v1/whoami", { headers: { Authorization }, ip: freshAddress() }));
    },
  );
});

describe("402", () => {
  it.each(oneOfEachKind(forKeys))(
    "%s refuses a team without a subscription",
    async (_, endpoint) => {
      const response = await request(endpoint, { key: unsubscribed.key });
      await errorOf(response, 402, "subscription_required");
      expect(response.headers.has("Retry-After")).toBe(false);
    },
  );
});

describe("403", () => {
  it.each(named(forKeys.filter(({ permission }) => permission === "full")))(
    "%s refuses a send_only key",
    async (_, endpoint) => {
      await errorOf(request(endpoint, { key: sendOnly }), 403, "permission_error");
    },
  );

  it.each(named(forKeys.filter(({ permission }) => permission === "send")))(
    "%s accepts a send_only key",
    async (_, endpoint) => {
      expect([401, 402, 403, 404]).not.toContain(
        (await request(endpoint, { key: sendOnly })).status,
      );
    },
  );

  it.each(oneOfEachKind(forKeys))(
    "%s accepts a key only from its allowed addresses",
    async (_, endpoint) => {
      const response = await request(endpoint, { key: confined, ip: "192.0.2.2" });
      await errorOf(response, 403, "permission_error");
      expect(response.headers.has("Retry-After")).toBe(false);
      expect((await request(endpoint, { key: confined, ip: "192.0.2.1" })).status).not.toBe(403);
    },
  );

  it.each(oneOfEachKind(published))(
    "%s refuses a wrong key from a blocked address with Retry-After",
    async (_, endpoint) => {
      const response = await request(endpoint, { key: "guess", ip: blocked });
      await errorOf(response, 403, "permission_error");
      expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    },
  );
});

describe("415", () => {
  it.each(oneOfEachKind(withBody))(
    "%s accepts only a body of its own Content-Type, uncompressed",
    async (_, endpoint) => {
      const key = keyFor(endpoint);
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
      ]) {
        const error = await invalid(
          request(endpoint, { key, headers: { "Content-Type": type } }),
          415,
        );
        expect(error.errors).toHaveProperty("content_type");
      }
      const type = endpoint.accepts ?? "application/json";
      const response = await request(endpoint, {
        key,
        headers: { "Content-Type": type, "Content-Encoding": "gzip" },
      });
      expect((await errorOf(response, 415, "validation_error")).errors).toHaveProperty(
        "content_encoding",
      );
      expect(response.headers.has("RateLimit-Limit")).toBe(!isForOperators(endpoint));
    },
  );
});

describe("400", () => {
  it.each(oneOfEachKind(withBody.filter(({ accepts }) => accepts === undefined)))(
    "%s refuses a body that is not a JSON object of at most 64 levels",
    async (_, endpoint) => {
      const deep = `{"x":${"[".repeat(64)}${"]".repeat(64)}}`;
      for (const raw of [" ", "{", "[]", "null", '"text"', "7", "{} {}", "\u0000", deep]) {
        const error = await invalid(request(endpoint, { key: keyFor(endpoint), raw }), 400);
        expect(error.errors).toHaveProperty("body");
      }
    },
  );
});

describe("422", () => {
  const paginated = published.filter((one) => one.paginated === true);

  const invalidPage = async (path: string, key: string, query: string) =>
    Object.keys((await invalid(call("GET", `${path}?${query}`, { key }), 422)).errors ?? {});

  it.each(named(paginated))("%s names limit and after if they are wrong", async (_, endpoint) => {
    const isOfOne = endpoint.path.includes(":");
    const path = await pathOf(endpoint, isOfOne ? await makeResource(endpoint, other) : {});
    const key = isOfOne ? other.key : keyFor(endpoint);
    expect(await invalidPage(path, key, "limit=1.5&after=!")).toEqual(["limit", "after"]);
    expect((await call("GET", `${path}?limit=1&unknown=1`, { key })).status).toBe(200);
  });

  it.each(oneOfEachKind(paginated.filter(({ path }) => !path.includes(":"))))(
    "%s refuses wrong limits and cursors, and accepts valid limits",
    async (_, endpoint) => {
      const key = keyFor(endpoint);
      for (const [query, fields] of [
        ["limit=0", ["limit"]],
        ["limit=101", ["limit"]],
        ["limit=ten", ["limit"]],
        ["after=made-up", ["after"]],
        ["limit=", ["limit"]],
        ["after=", ["after"]],
        ["limit=&after=", ["limit", "after"]],
      ] as const)
        expect(await invalidPage(endpoint.path, key, query)).toEqual(fields);
      for (const query of ["", "?limit=100", "?unknown="])
        expect((await call("GET", endpoint.path + query, { key })).status).toBe(200);
    },
  );
});

describe("429", () => {
  const wrong = { headers: { "Content-Type": "text/plain" } };
  const forTeams = withBody.filter((endpoint) => !isForOperators(endpoint));

  it.each([
    ...oneOfEachKind(forKeys).map(([name, endpoint]) => [name, endpoint, {}] as const),
    ...oneOfEachKind(forTeams).map(
      ([name, endpoint]) => [`${name} with a wrong Content-Type`, endpoint, wrong] as const,
    ),
  ])("%s counts against the team's request rate", async (_, endpoint, options) => {
    stopClock();
    const ask = () => request(endpoint, { key: slow.key, ...options });
    let response = await ask();
    for (let calls = 0; calls < 10 && response.status !== 429; calls += 1) response = await ask();
    expect(response.status).toBe(429);
    const expected = { error: "rate_limit_exceeded", message: expect.any(String) };
    expect(await response.json()).toEqual(expected);
    expect(response.headers.get("Retry-After")).toBe("1");
    expect(response.headers.get("RateLimit-Limit")).toBe("1");
    expect(response.headers.get("RateLimit-Remaining")).toBe("0");
  });

  it.each(oneOfEachKind(forOperators))("%s has no request rate", async (_, endpoint) => {
    const response = await request(endpoint, { key: ADMIN_TOKEN });
    expect(response.status).not.toBe(429);
    expect(response.headers.has("RateLimit-Limit")).toBe(false);
    await response.text();
  });
});
