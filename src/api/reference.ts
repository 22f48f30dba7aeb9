// GET /docs: the API reference. A page of our own that draws /openapi.json with Scalar's script,
// which is served from here as a static asset (docs/api.md): nothing on it comes from, or goes to,
// another host.
import type { Context } from "hono";
import { refuse } from "../refusal.ts";
import type { ApiContext } from "./api-context.ts";
import { TITLE } from "./openapi/openapi-text.ts";

/**
 * In the assets' directory under the same paths. The first is Scalar's, put there by
 * dev/reference-script.ts; the second starts it.
 */
export const REFERENCE_FILES = ["/docs/scalar.js", "/docs/start.js"] as const;

const CACHE_SECONDS = 3_600;

/**
 * The script writes its styles into the page, hence `unsafe-inline` for styles alone. Requests that
 * a reader tries go to this origin.
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
<title>${TITLE} API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>The reference needs JavaScript. The same as a document: <a href="/openapi.json">/openapi.json</a>.</noscript>
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
    "Cache-Control": `public, max-age=${CACHE_SECONDS}`,
  };
  return new Response(PAGE, {
    headers: { ...headers, "Content-Type": "text/html; charset=utf-8" },
  });
}

/** One of REFERENCE_FILES; 404 where it was not put into the assets. */
export async function serveReferenceFile(c: Context<ApiContext>): Promise<Response> {
  const file = await c.env.ASSETS.fetch(c.req.raw);
  if (file.status === 404) throw refuse("not_found");
  const headers = new Headers(file.headers);
  for (const [name, value] of Object.entries(SAFETY)) headers.set(name, value);
  headers.set("Cache-Control", `public, max-age=${CACHE_SECONDS}`);
  return new Response(file.body, { status: file.status, headers });
}
