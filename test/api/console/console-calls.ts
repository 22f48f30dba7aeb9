// Calls the service as the console's pages do, with the cookies that it sets.
import { expect } from "vitest";
import { ADMIN_TOKEN, call, callDeployment, type TestEnv } from "../../support/api.ts";

export const ORIGIN = "https://api.postern.test";

/** The headers of a request from a page of the console's own origin. */
export const OWN_PAGE = { Origin: ORIGIN, "Sec-Fetch-Site": "same-origin" };

/**
 * A setting that only a developer's machine has. Other deployments refuse a secret that begins with
 * `local-only-`.
 */
export const LOCAL = { DNS_API_TOKEN: "local-only-dns-token" };

export interface SessionBody {
  readonly team: { readonly id: string; readonly name: string } | null;
  readonly api_key: { readonly id: string; readonly permissions: string } | null;
  readonly expires_at: string;
}

/** Signs in to the console: sends POST /console/session from the console's own page. */
export function postSession(body: unknown, ip = "198.51.100.1"): Promise<Response> {
  return call("POST", "/console/session", { body, headers: OWN_PAGE, ip });
}

/** Signs in, and returns the headers that the console sends from then on. */
export const consoleHeaders = async (key: string) => sessionHeaders(await postSession({ key }));

/** Signs the operator in, and returns the headers that the console sends from then on. */
export const operatorHeaders = async () =>
  sessionHeaders(await postSession({ admin_token: ADMIN_TOKEN }));

/**
 * Returns the headers that the console sends after a sign-in: the cookie that the sign-in's
 * response has set, and the console's own header.
 */
export function sessionHeaders(response: Response): Record<string, string> {
  expect(response.status).toBe(200);
  const [cookie = ""] = (response.headers.get("Set-Cookie") ?? "").split(";");
  return { Cookie: cookie, "X-Postern-Console": "1" };
}

/** Signs in to the console of a deployment, with the headers of the console's own page. */
export function postSessionTo(
  settings: Partial<TestEnv>,
  origin: string,
  body: unknown,
): Promise<Response> {
  return callDeployment(settings, `${origin}/console/session`, {
    method: "POST",
    headers: { Origin: origin, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}
