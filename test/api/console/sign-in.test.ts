// Tests POST, GET and DELETE /console/session (src/api/console/routes.ts): who may sign in and out,
// from which pages, and what the cookie contains.
import { beforeAll, describe, expect, it, vi } from "vitest";
import { mintSecret } from "../../../src/resources/api-keys/key-secret.ts";
import { ADMIN_TOKEN, call, makeTeam, ok, callDeployment, makeKey } from "../../support/api.ts";
import { errorOf, freshAddress } from "../../support/endpoints.ts";
import {
  consoleHeaders,
  LOCAL,
  operatorHeaders,
  ORIGIN,
  OWN_PAGE,
  postSession,
  postSessionTo,
  type SessionBody,
  sessionHeaders,
} from "./console-calls.ts";

const HTTP = "http://api.postern.test";

/** A team's key, for the tests that need nothing else of the team. */
let key: string;

beforeAll(async () => {
  ({ key } = await makeTeam());
});

describe("POST /console/session with a key", () => {
  it("answers the team, the key and the end of the session, 12 hours later", async () => {
    vi.setSystemTime(Date.now());
    const team = await makeTeam({ name: "Acme" });
    expect(await ok(postSession({ key: team.key }))).toEqual({
      team: { id: team.id, name: "Acme" },
      api_key: { id: team.keyId, permissions: "full" },
      operations: expect.arrayContaining(["DELETE /v1/domains/{id}"]),
      expires_at: new Date(Date.now() + 43_200_000).toISOString(),
    });
  });

  it("sets a cookie that scripts, other sites and plain http never get, in an answer that is never stored", async () => {
    const response = await postSession({ key });
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.getSetCookie()).toHaveLength(1);
    expect(response.headers.get("Set-Cookie")).toMatch(
      /^__Host-postern-console=[\w-]{96}; HttpOnly; Secure; SameSite=Strict; Path=\/; Max-Age=43200$/,
    );
  });

  it("puts neither the key nor its hash into the cookie", async () => {
    const { Cookie = "" } = await consoleHeaders(key);
    const sealed = atob(
      Cookie.slice(Cookie.indexOf("=") + 1)
        .replaceAll("-", "+")
        .replaceAll("_", "/"),
    );
    const digest = new Uint8Array(
      await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)),
    );
    expect(Cookie).not.toContain(key.slice(0, 12));
    expect(sealed).not.toContain(key.slice(0, 12));
    expect(sealed).not.toContain(String.fromCharCode(...digest.subarray(0, 8)));
  });

  it("accepts a send_only key, and /v1 then refuses what that key may not do", async () => {
    const made = await makeKey(await makeTeam(), { permissions: "send_only" });
    const response = await postSession({ key: made.key });
    const headers = sessionHeaders(response);
    expect((await response.json<SessionBody>()).api_key?.permissions).toBe("send_only");
    expect((await call("GET", "/v1/whoami", { headers })).status).toBe(200);
    await errorOf(call("GET", "/v1/events", { headers }), 403, "permission_error");
  });

  it("takes a key of a team without a subscription, which /v1 then answers with 402", async () => {
    const headers = await consoleHeaders((await makeTeam({ subscription: "inactive" })).key);
    await errorOf(call("GET", "/v1/whoami", { headers }), 402, "subscription_required");
  });

  it("refuses a key from an address that may not use it", async () => {
    const confined = await makeKey(await makeTeam(), { allowed_ips: ["192.0.2.1"] });
    const response = await postSession({ key: confined.key }, "192.0.2.2");
    expect(response.headers.has("Set-Cookie")).toBe(false);
    await errorOf(response, 403, "permission_error");
    expect((await postSession({ key: confined.key }, "192.0.2.1")).status).toBe(200);
  });

  it("counts a wrong key together with wrong keys at the API, and lets a right key pass the block", async () => {
    const ip = freshAddress();
    for (let guess = 0; guess < 20; guess += 1)
      await errorOf(postSession({ key: mintSecret() }, ip), 401, "authentication_error");
    const blocked = await postSession({ key: "guess" }, ip);
    expect(Number(blocked.headers.get("Retry-After"))).toBeGreaterThan(0);
    await errorOf(blocked, 403, "permission_error");
    expect((await call("GET", "/v1/whoami", { key: mintSecret(), ip })).status).toBe(403);
    expect((await postSession({ admin_token: "x".repeat(40) }, ip)).status).toBe(401);
    expect((await postSession({ key }, ip)).status).toBe(200);
  });

  it.each([
    ["no member", {}, "key"],
    ["two members", { key: "ps_x", admin_token: "y" }, "key"],
    ["a key that is empty", { key: "" }, "key"],
    ["a key of another type", { key: 7 }, "key"],
    ["a link that is too long", { link: "x".repeat(5_000) }, "link"],
  ])("refuses %s with 422", async (_, body, field) => {
    const error = await errorOf(postSession(body), 422, "validation_error");
    expect(Object.keys(error.errors ?? {})).toEqual([field]);
  });
});

describe("the page that signs in", () => {
  it.each<[string, Record<string, string>]>([
    ["by Origin", { Origin: ORIGIN }],
    ["by Sec-Fetch-Site", { "Sec-Fetch-Site": "same-origin" }],
    ["by both", OWN_PAGE],
  ])("may sign in, when it is of the same origin %s", async (_, headers) => {
    const response = await call("POST", "/console/session", { body: { key }, headers });
    expect(response.status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ["another origin", { Origin: "https://evil.example" }],
    ["a subdomain", { Origin: "https://a.api.postern.test", "Sec-Fetch-Site": "same-site" }],
    ["another scheme", { Origin: "http://api.postern.test" }],
    ["another port", { Origin: "https://api.postern.test:8443" }],
    ["a sandboxed frame", { Origin: "null" }],
    ["another origin that claims the same site", { ...OWN_PAGE, Origin: "https://evil.example" }],
    [
      "the same origin, when the browser says otherwise",
      { ...OWN_PAGE, "Sec-Fetch-Site": "cross-site" },
    ],
    ["no page", {}],
    ["no page, typed by its user", { "Sec-Fetch-Site": "none" }],
  ])("is refused if the request comes from %s", async (_, headers) => {
    for (const method of ["POST", "DELETE"]) {
      const request = { headers, ...(method === "POST" ? { body: { key } } : {}) };
      const response = await call(method, "/console/session", request);
      expect(response.headers.has("Set-Cookie")).toBe(false);
      await errorOf(response, 403, "permission_error");
    }
  });

  it.each(["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"])(
    "is refused if the request has a form's content type, %s",
    async (type) => {
      const post = (headers: Record<string, string>) =>
        call("POST", "/console/session", {
          raw: new TextEncoder().encode(JSON.stringify({ key })),
          headers: { ...headers, "Content-Type": type },
        });
      expect((await post({ Origin: "https://evil.example" })).status).toBe(403);
      expect((await post(OWN_PAGE)).status).toBe(415);
    },
  );
});

describe("plain http", () => {
  it("is refused with a reason outside a developer's machine", async () => {
    for (const body of [{ key }, { admin_token: ADMIN_TOKEN }]) {
      const response = await postSessionTo({}, HTTP, body);
      expect(response.headers.has("Set-Cookie")).toBe(false);
      expect((await errorOf(response, 403, "permission_error")).message).toBe(
        "The console's session needs https: open the console at its https address.",
      );
    }
  });

  it("takes no cookie of either name outside a developer's machine", async () => {
    const { Cookie = "", ...headers } = await consoleHeaders(key);
    for (const cookie of [Cookie, Cookie.replace("__Host-", "")]) {
      const init = { headers: { ...headers, Cookie: cookie } };
      expect((await callDeployment({}, `${HTTP}/v1/whoami`, init)).status).toBe(401);
    }
  });

  it("gets a cookie of another name without Secure on a developer's machine", async () => {
    const response = await postSessionTo(LOCAL, HTTP, { key });
    expect(response.headers.get("Set-Cookie")).toMatch(
      /^postern-console=[\w-]{96}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=43200$/,
    );
    const headers = sessionHeaders(response);
    expect((await callDeployment(LOCAL, `${HTTP}/v1/whoami`, { headers })).status).toBe(200);
    expect((await callDeployment(LOCAL, `${ORIGIN}/v1/whoami`, { headers })).status).toBe(401);
    const operators = await postSessionTo(LOCAL, HTTP, { admin_token: ADMIN_TOKEN });
    const cookie = sessionHeaders(operators);
    expect(operators.headers.get("Set-Cookie")).toMatch(
      /^postern-operator=[\w-]{54}; HttpOnly; Same/,
    );
    const admin = await callDeployment(LOCAL, `${HTTP}/admin/teams?limit=1`, { headers: cookie });
    expect(admin.status).toBe(200);
  });

  it("sets the Secure cookie over https on a developer's machine", async () => {
    const response = await postSessionTo(LOCAL, ORIGIN, { key });
    expect(response.headers.get("Set-Cookie")).toMatch(/^__Host-postern-console=.*; Secure;/);
  });
});

describe("GET /console/session", () => {
  it("answers what the sign-in answered, also to HEAD", async () => {
    const response = await postSession({ key });
    const headers = sessionHeaders(response);
    const signedIn = await response.json();
    const again = await call("GET", "/console/session", { headers });
    expect([again.status, await again.json()]).toEqual([200, signedIn]);
    const head = await call("HEAD", "/console/session", { headers });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it("answers 401 without a session, and 422 to a choice that does not exist", async () => {
    const response = await call("GET", "/console/session");
    expect((await errorOf(response, 401, "authentication_error")).message).toBe(
      "The console has no session here: sign in with `POST /console/session`.",
    );
    expect((await call("GET", "/console/session?as=nobody")).status).toBe(422);
  });

  it("answers 401 to a key or to a cookie without the console's header", async () => {
    const { Cookie = "" } = await consoleHeaders(key);
    expect((await call("GET", "/console/session", { key })).status).toBe(401);
    expect((await call("GET", "/console/session", { headers: { Cookie } })).status).toBe(401);
  });

  it("shows the team's session or the operator's, as the request chooses", async () => {
    const { key: own, id } = await makeTeam();
    const [team, operator] = [await consoleHeaders(own), await operatorHeaders()];
    const headers = { ...team, Cookie: `theme=dark; ${operator["Cookie"]}; ${team["Cookie"]}` };
    const read = async (path: string) => (await call("GET", path, { headers })).json<SessionBody>();
    expect((await read("/console/session")).team?.id).toBe(id);
    const expected = { team: null, api_key: null, expires_at: expect.any(String) };
    expect(await read("/console/session?as=operator")).toEqual(expected);
    expect((await call("GET", "/console/session?as=operator", { headers: team })).status).toBe(401);
    expect((await call("GET", "/console/session", { headers: operator })).status).toBe(401);
  });
});

describe("DELETE /console/session", () => {
  it.each([
    ["/console/session", "__Host-postern-console"],
    ["/console/session?as=operator", "__Host-postern-operator"],
  ])("at %s has the browser forget %s", async (path, name) => {
    const response = await call("DELETE", path, { headers: OWN_PAGE });
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toEqual([
      `${name}=; HttpOnly; Secure; SameSite=Strict; Path=/; Max-Age=0`,
    ]);
  });
});

describe("/console/session", () => {
  it.each(["PUT", "OPTIONS"])("answers 405 to %s, without CORS headers", async (method) => {
    const response = await call(method, "/console/session", {
      headers: { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" },
    });
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("POST, GET, PATCH, DELETE");
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-"))).toEqual([]);
  });
});
