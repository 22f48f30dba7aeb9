// GET /docs serves the API reference, a page that renders /openapi.json with Scalar's script. The
// script is a static asset of the worker (docs/api.md), so the page loads from this host only.
import type { Context } from "hono";
import { refuse } from "../refusal.ts";
import type { ApiContext } from "./api-context.ts";

/**
 * The page's scripts, under the paths that they have in the assets' directory. The first is
 * Scalar's script, which tools/dev/reference-script.ts copies there. The second starts the first.
 */
export const REFERENCE_FILES = ["/docs/scalar.js", "/docs/start.js"] as const;

const SCRIPT_CACHE_SECONDS = 3_600;

/**
 * Scalar's script writes its styles into the page, so styles need `unsafe-inline`. A reader can try
 * out requests, which go to this origin.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const SAFETY = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
};

const [SCALAR, START] = REFERENCE_FILES;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Postern API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>The reference needs JavaScript. The same content as an OpenAPI document: <a href="/openapi.json">/openapi.json</a>.</noscript>
<div id="reference"></div>
<script src="${SCALAR}"></script>
<script src="${START}"></script>
</body>
</html>
`;

export function serveReference(): Response {
  const headers = {
    ...SAFETY,
    "Content-Security-Policy": POLICY,
    "Cache-Control": `public, max-age=${SCRIPT_CACHE_SECONDS}`,
  };
  return new Response(PAGE, {
    headers: { ...headers, "Content-Type": "text/html; charset=utf-8" },
  });
}

/** Serves one of REFERENCE_FILES, or 404 if the assets do not have it. */
export async function serveReferenceFile(c: Context<ApiContext>): Promise<Response> {
  const file = await c.env.ASSETS.fetch(c.req.raw);
  if (file.status === 404) throw refuse("not_found");
  const headers = new Headers(file.headers);
  for (const [name, value] of Object.entries(SAFETY)) headers.set(name, value);
  headers.set("Cache-Control", `public, max-age=${SCRIPT_CACHE_SECONDS}`);
  return new Response(file.body, { status: file.status, headers });
}
