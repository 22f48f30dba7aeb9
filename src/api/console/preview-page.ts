// POST /console/preview shows a mail's HTML in a frame of the console. If the console wrote the
// HTML into the frame itself, the frame would inherit the console's policy, which blocks a mail's
// styles and images. This response has its own policy: styles and images work, but the mail cannot
// run scripts, navigate the console or send requests other than for its images. The console posts
// the HTML in a form with the frame as its target, so the server stores nothing.
import type { Context } from "hono";
import { refuse } from "../../refusal.ts";
import type { ApiContext } from "../api-context.ts";

const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

/**
 * Maximum size of a posted form, in bytes. The form encoding of the largest HTML that a template
 * can make is smaller.
 */
export const FORM_BYTES = 4_194_304;

/**
 * The element makes every link open a window. A sandboxed document cannot open windows, so links do
 * nothing. The element is at the end of the HTML, where it changes neither the mail's quirks mode
 * nor its first element.
 */
const INERT_LINKS = '<base target="_blank">';

/**
 * Answers the field `html` of a posted form as a page. If the field `images` is `own`, the page
 * loads no image from another server. The form must come from a page of this origin, because
 * another site could otherwise show its own content under this host name. The form must also come
 * with a session, so that strangers cannot make the worker parse forms.
 */
export async function servePreview(c: Context<ApiContext>): Promise<Response> {
  await c.get("bufferBody")();
  const form = await formOf(c);
  const html = form.get("html");
  if (typeof html !== "string") throw refuse("malformed", { errors: { html: ["is required"] } });
  const policy = policyOf(form.get("images") === "own" ? "data:" : "https: data:");
  return new Response(html + INERT_LINKS, {
    headers: { ...HEADERS, "Content-Security-Policy": policy },
  });
}

/**
 * Returns the page's policy. If `images` allows only the mail's own data, the mail sends no request
 * to another server.
 */
function policyOf(images: string): string {
  return [
    "sandbox",
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src ${images}`,
    "frame-ancestors 'self'",
  ].join("; ");
}

async function formOf(c: Context<ApiContext>): Promise<FormData> {
  if (!/^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(typeOf(c)))
    throw refuse("unsupported_media_type", {
      errors: { "Content-Type": ["must be the type of an HTML form"] },
    });
  try {
    return await c.req.formData();
  } catch {
    throw refuse("malformed", { errors: { body: ["is not a form"] } });
  }
}

function typeOf(c: Context<ApiContext>): string {
  return c.req.header("Content-Type") ?? "";
}
