// POST /console/preview shows a mail's HTML in a frame of the console. A document that the page
// itself writes into a frame inherits the page's policy, which allows a mail neither its styles nor
// its pictures. This response brings a policy of its own: styles and pictures work, and nothing in
// the mail can run, navigate the console or send anything but the requests for its pictures. The
// console posts the HTML by a form whose target is the frame, so that nothing has to be kept.
import type { Context } from "hono";
import { refuse } from "../../refusal.ts";
import type { ApiContext } from "../api-context.ts";

const POLICY = [
  "sandbox",
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src https: data:",
  "frame-ancestors 'self'",
].join("; ");

const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

/** More than the largest HTML that a send's template makes takes in a form. */
export const FORM_BYTES = 4_194_304;

/**
 * A sandboxed document opens no windows, so links with this target do nothing. The element stands
 * at the end, where it neither changes the mail's mode nor its first element.
 */
const INERT_LINKS = '<base target="_blank">';

/**
 * Answers the field `html` of a posted form as a page. Only a page of this origin may post it,
 * since another site could else show its own content under this host's name, and only with a
 * session, so that a stranger can't have the worker read forms.
 */
export async function servePreview(c: Context<ApiContext>): Promise<Response> {
  await c.get("keepBody")();
  const html = (await formOf(c)).get("html");
  if (typeof html !== "string") throw refuse("malformed", { errors: { html: ["is required"] } });
  return new Response(html + INERT_LINKS, { headers: HEADERS });
}

async function formOf(c: Context<ApiContext>): Promise<FormData> {
  if (!/^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(typeOf(c)))
    throw refuse("unsupported_media_type", {
      errors: { "Content-Type": ["must be that of a form"] },
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
