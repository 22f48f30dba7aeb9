// Tests GET /console and below (src/api/console/serve-console.ts): the page, its files and their
// headers. A fake replaces the static assets, so the tests need no build of the console.
import { errorOf } from "../../support/endpoints.ts";
import { describe, expect, it } from "vitest";
import { call, callDeployment } from "../../support/api.ts";
import { ORIGIN } from "./console-calls.ts";

const OF_BUILD = "/console/assets/0123456789abcdef";
const PAGE = `<!doctype html><title>Postern</title><script src="${OF_BUILD}/index.js"></script>`;
const BUILD: Readonly<Record<string, [type: string, text: string]>> = {
  "/console/index.html": ["text/html; charset=utf-8", PAGE],
  "/console/assets/index.js": ["text/javascript", "start();"],
  "/console/icon.svg": ["image/svg+xml", "<svg/>"],
};

const WITHOUT_PAGE: typeof BUILD = { "/console/assets/index.js": ["text/javascript", "start();"] };

/** Answers like the static assets: with an ETag, and with headers that the worker must replace. */
function assetsOf(build: typeof BUILD): Fetcher {
  const fetchAsset = (input: RequestInfo): Promise<Response> => {
    const request = new Request(input);
    const [type, text] = build[new URL(request.url).pathname] ?? [];
    if (type === undefined || text === undefined)
      return Promise.resolve(new Response(null, { status: 404 }));
    const headers = { ETag: '"tag"', "Cache-Control": "public, max-age=0, must-revalidate" };
    return Promise.resolve(
      request.headers.get("If-None-Match") === '"tag"'
        ? new Response(null, { status: 304, headers })
        : new Response(text, { headers: { ...headers, "Content-Type": type } }),
    );
  };
  return { fetch: fetchAsset } as unknown as Fetcher;
}

const get = (path: string, init: RequestInit = {}, build = BUILD) =>
  callDeployment({ ASSETS: assetsOf(build) }, ORIGIN + path, init);

describe("GET /console", () => {
  it.each(
    (
      "/console /console/ /console/sign-in /console/operator " +
      "/console/messages/email_1?tab=html /console/why?q=a.b /console/sessions"
    ).split(" "),
  )("answers the page at %s", async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("Cache-Control")).toBe("no-cache");
    expect(await response.text()).toBe(PAGE);
  });

  it("answers how to apply the migrations while the shard has none, and no page", async () => {
    const noTable = () => Promise.reject(new Error("D1_ERROR: no such table: partitions"));
    const SHARD_0 = { prepare: () => ({ run: noTable }) } as unknown as D1Database;
    const parts = { ASSETS: assetsOf(BUILD), SHARD_0 };
    const response = await callDeployment(parts, `${ORIGIN}/console/messages`);
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("schema missing: run `npm run setup`");
    expect((await callDeployment(parts, `${ORIGIN}/console/icon.svg`)).status).toBe(200);
  });

  it.each([
    [`${OF_BUILD}/index.js`, "/console/assets/index.js", "public, max-age=31536000, immutable"],
    ["/console/assets/index.js", "/console/assets/index.js", "no-cache"],
    ["/console/icon.svg", "/console/icon.svg", "no-cache"],
    ["/console/index.html", "/console/index.html", "no-cache"],
  ])("answers the file at %s with its own cache lifetime", async (path, file, caching) => {
    const response = await get(path);
    const [type, text] = BUILD[file] ?? [];
    expect(response.headers.get("Content-Type")).toBe(type);
    expect(response.headers.get("Cache-Control")).toBe(caching);
    expect(await response.text()).toBe(text);
  });

  it.each(["/console", `${OF_BUILD}/index.js`])(
    "lets the browser load from, talk to and be framed by this origin only at %s",
    async (path) => {
      const { headers } = await get(path);
      expect(headers.get("Content-Security-Policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
          "font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; " +
          "form-action 'self'; frame-ancestors 'none'; manifest-src 'self'",
      );
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
      expect(headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
      expect(headers.has("Set-Cookie")).toBe(false);
    },
  );

  it("answers HEAD without a body, and 304 to a browser that has the page", async () => {
    const head = await get("/console", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const known = await get("/console/domains", { headers: { "If-None-Match": '"tag"' } });
    expect([known.status, await known.text()]).toEqual([304, ""]);
    expect(known.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  });

  it.each([
    [`${OF_BUILD}/lost.js`, BUILD],
    ["/console/assets/fedcba9876543210/index.js", BUILD],
    [`${OF_BUILD}/index.js`, WITHOUT_PAGE],
    ["/console/favicon.ico", BUILD],
    ["/console", {}],
    ["/console/domains", {}],
  ])(
    "answers 404 in the envelope at %s, where the page’s build has no file",
    async (path, build) => {
      await errorOf(get(path, {}, build), 404, "not_found");
    },
  );

  it("serves nothing beyond the console's own folder", async () => {
    for (const path of ["/console/../wrangler.toml", "/console/%2e%2e/wrangler.toml"])
      expect((await call("GET", path)).status).toBe(404);
    expect((await call("GET", "/consoles")).status).toBe(404);
  });

  it.each(["/console", "/console/", "/console/domains", `${OF_BUILD}/index.js`])(
    "answers 405 to other methods at %s, without CORS headers",
    async (path) => {
      for (const method of ["POST", "DELETE", "OPTIONS"]) {
        const response = await get(path, { method, headers: { Origin: "https://evil.example" } });
        expect([response.status, response.headers.get("Allow")]).toEqual([405, "GET"]);
        expect(response.headers.has("Access-Control-Allow-Origin")).toBe(false);
      }
    },
  );
});
