// Tests GET /docs (src/api/reference.ts): the page, its content security policy and its scripts.
// The page loads nothing from another host.
import { errorOf } from "../support/endpoints.ts";
import { describe, expect, it } from "vitest";
import { call } from "../support/api.ts";
import { visit } from "../support/recipient.ts";

const ELSEWHERE = /(?:https?:)?\/\/[a-z0-9-]+\.[a-z]/i;

describe("GET /", () => {
  it.each(["GET", "HEAD"])(
    "redirects %s on the service's own host to the reference",
    async (method) => {
      const response = await visit("http://postern.test/", { method });
      expect([response.status, response.headers.get("Location")]).toEqual([302, "/docs"]);
    },
  );
});

describe("GET /docs", () => {
  it("is a page that holds no script, style or address but its own", async () => {
    const response = await call("GET", "/docs");
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    const page = await response.text();
    expect(page).not.toMatch(ELSEWHERE);
    expect(page).not.toMatch(/<script(?! src="\/docs\/)|<style|\son\w+=|style=/);
    const expected = ["/docs/scalar.js", "/docs/start.js"];
    expect([...page.matchAll(/<script src="([^"]+)"/g)].map(([, source]) => source)).toEqual(
      expected,
    );
  });

  it("lets the browser load from, talk to and be framed by this origin only", async () => {
    const response = await call("GET", "/docs");
    const policy = new Map(
      (response.headers.get("Content-Security-Policy") ?? "")
        .split("; ")
        .map((one) => [one.split(" ")[0], one]),
    );
    await response.text();
    expect(policy.get("default-src")).toBe("default-src 'none'");
    expect(policy.get("script-src")).toBe("script-src 'self'");
    expect(policy.get("connect-src")).toBe("connect-src 'self'");
    expect(policy.get("frame-ancestors")).toBe("frame-ancestors 'none'");
    expect([...policy.values()].join(" ")).not.toMatch(/\*|https?:|unsafe-eval/);
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(response.headers.get("Referrer-Policy")).toBe("no-referrer");
  });

  it.each([
    ["/docs/scalar.js", 4_000_000],
    ["/docs/start.js", 100],
  ])("has %s", async (path, least) => {
    const response = await call("GET", path);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toMatch(/^(?:text|application)\/javascript/);
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(least);
  });

  it("sends a script once to a client that caches it", async () => {
    const first = await call("GET", "/docs/start.js");
    const tag = first.headers.get("ETag") ?? "";
    expect(tag).not.toBe("");
    await first.text();
    expect(
      (await call("GET", "/docs/start.js", { headers: { "If-None-Match": tag } })).status,
    ).toBe(304);
  });

  it("draws this service's document, without any feature that calls another host", async () => {
    const start = await (await call("GET", "/docs/start.js")).text();
    expect(start).toContain('url: "/openapi.json"');
    expect(start).not.toMatch(ELSEWHERE);
    for (const off of [
      "telemetry: false",
      "withDefaultFonts: false",
      'proxyUrl: ""',
      "agent: { disabled: true }",
      "mcp: { disabled: true }",
    ]) {
      expect(start).toContain(off);
    }
  });

  it.each(
    (
      "/docs/ /docs/other.js /docs/../wrangler.toml /docs/scalar.js/x " +
      "/public/docs/start.js /api/openapi.json /api/tools.json"
    ).split(" "),
  )("answers 404 at %s", async (path) => {
    await errorOf(call("GET", path), 404, "not_found");
  });

  it.each(["/docs", "/docs/scalar.js"])("answers 405 to a POST to %s", async (path) => {
    const response = await call("POST", path, { body: {} });
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("GET");
  });
});
