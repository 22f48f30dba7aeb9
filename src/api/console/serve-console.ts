// Serves the console at GET /console and below: a single-page app of static assets of the worker.
// The page loads from this origin only and sends requests to this origin only.
import type { Context } from "hono";
import { findMissingSchema } from "../../db/unmigrated.ts";
import type { ApiContext } from "../api-context.ts";

const PAGE = "/console/index.html";
const FOREVER = "public, max-age=31536000, immutable";
/** Matches a file of one build. The build's digest precedes the file's name. */
const FILE_OF_BUILD = /^(\/console\/assets\/)[0-9a-f]{16}\//;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  // The preview needs 'self': the console posts a mail's HTML into the preview's frame
  // (preview-page.ts).
  "form-action 'self'",
  "frame-ancestors 'none'",
  "manifest-src 'self'",
].join("; ");

const SAFETY = {
  "Content-Security-Policy": POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/**
 * Serves a file of the console. Every path without a file name gets the page, and the page's script
 * reads the path. Answers 404 if there is no build. Also answers 404 for a file of another build,
 * so that a page never gets files of two builds. While a database lacks migrations, answers with a
 * text that says how to apply them.
 */
export async function serveConsole(c: Context<ApiContext>): Promise<Response> {
  const { pathname } = new URL(c.req.url);
  const [ofBuild] = FILE_OF_BUILD.exec(pathname) ?? [];
  if (ofBuild !== undefined && !(await isLoadedByPage(c, ofBuild))) return c.notFound();
  const missing = namesFile(pathname) ? null : await findMissingSchema(c.env);
  if (missing !== null) return c.text(`The console can't work yet: ${missing}.\n`, 503, SAFETY);
  const path = namesFile(pathname) ? pathname.replace(FILE_OF_BUILD, "$1") : PAGE;
  const file = await c.env.ASSETS.fetch(new Request(new URL(path, c.req.url), c.req.raw));
  if (file.status !== 200 && file.status !== 304) return c.notFound();
  const headers = new Headers(file.headers);
  for (const [name, value] of Object.entries(SAFETY)) headers.set(name, value);
  headers.set("Cache-Control", ofBuild === undefined ? "no-cache" : FOREVER);
  return new Response(file.body, { status: file.status, headers });
}

async function isLoadedByPage(c: Context<ApiContext>, folder: string): Promise<boolean> {
  const page = await c.env.ASSETS.fetch(new Request(new URL(PAGE, c.req.url)));
  return (await page.text()).includes(`"${folder}`);
}

/** Tells whether the last part of the path has an extension. */
function namesFile(pathname: string): boolean {
  return pathname.slice(pathname.lastIndexOf("/")).includes(".");
}
