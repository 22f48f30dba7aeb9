// Opens the links of a delivered message as recipients and their mail programs do. Follows no
// redirects.
import { exports } from "cloudflare:workers";
import { everyCore } from "./every-core.ts";

const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;

export const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
  "Chrome/129.0.0.0 Safari/537.36";

interface Doing {
  readonly method?: string;
  readonly agent?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: BodyInit;
}

export async function visit(
  url: string,
  { method = "GET", agent = CHROME, headers = {}, body }: Doing = {},
): Promise<Response> {
  return worker.fetch(url, {
    method,
    redirect: "manual",
    headers: { ...(agent === null ? {} : { "User-Agent": agent }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

/** The body that a mail program posts when its user unsubscribes (RFC 8058). */
export async function unsubscribeByOneClick(url: string): Promise<Response> {
  return visit(url, {
    method: "POST",
    body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
  });
}

/** Gives a domain a verified tracking host, without DNS, and returns the host. */
export async function trackOn(
  domain: string,
  flags: { readonly opens?: boolean; readonly clicks?: boolean } = {},
): Promise<string> {
  const host = `links.${domain}`;
  const { opens = true, clicks = true } = flags;
  await everyCore
    .prepare(
      `UPDATE domains SET opens_enabled = ?, clicks_enabled = ?, tracking_subdomain = 'links', tracking_host = ?, tracking_status = 'verified',
       tracking_verified_at = 1 WHERE name = ?`,
    )
    .bind(opens ? 1 : 0, clicks ? 1 : 0, host, domain)
    .run();
  return host;
}
