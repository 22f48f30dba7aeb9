// GET /openapi.json serves the OpenAPI 3.1 document, which `npm run client` makes from the
// endpoints table (tools/openapi). The endpoint needs no credentials.
import type { Context } from "hono";
import { BoundedCache } from "../lib/bounded-cache.ts";
import { sha256Hex } from "../lib/crypto/crypto.ts";
import { HOUR_MS } from "../limits.ts";
import { settingsOf } from "../settings.ts";
import type { ApiContext } from "./api-context.ts";
import { fillIn } from "./placeholders.ts";
import { publishedFile } from "../published-file.ts";

/** The version of this release. `npm run stamp` writes it from package.json. */
export const VERSION = "0.1.0";

const CACHE_SECONDS = 300;
/**
 * Maximum number of cached documents. A deployment has one or two origins, but clients can send any
 * Host.
 */
const ORIGINS_CACHED = 4;

interface Served {
  readonly text: string;
  readonly etag: string;
}

/** Returns the handler of GET /openapi.json. */
export function serveOpenApi(): (c: Context<ApiContext>) => Promise<Response> {
  const cache = new BoundedCache<Served>(ORIGINS_CACHED, HOUR_MS);
  let document: string | undefined;
  return async (c) => {
    const { origin } = new URL(c.req.url);
    let served = cache.get(origin, c.get("now"));
    if (!served) {
      document ??= JSON.stringify(await publishedFile(c.env, "openapi.json"));
      const { headerPrefix } = settingsOf(c.env);
      const text = fillIn(document, { origin, headerPrefix });
      served = { text, etag: `"${(await sha256Hex(text)).slice(0, 32)}"` };
      cache.set(origin, served, c.get("now"));
    }
    const headers = { ETag: served.etag, "Cache-Control": `public, max-age=${CACHE_SECONDS}` };
    if (hasTag(c.req.header("If-None-Match"), served.etag))
      return new Response(null, { status: 304, headers });
    return new Response(served.text, {
      headers: { ...headers, "Content-Type": "application/json" },
    });
  };
}

function hasTag(header: string | undefined, etag: string): boolean {
  return (
    header !== undefined &&
    header.split(",").some((tag) => [etag, `W/${etag}`, "*"].includes(tag.trim()))
  );
}
