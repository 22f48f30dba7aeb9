// Names, writes and reads the console's cookies (contract.md §Console sessions). Browsers accept a
// cookie with the prefix `__Host-` only over https, for exactly this host and for every path.
import { isLocal } from "../../settings.ts";
import { CONSOLE_SESSION_MS, SECOND_MS } from "../../limits.ts";
import type { BrowserRequest } from "./own-origin.ts";

/** The kinds of sessions, each with a cookie of its own. */
export const SESSION_KINDS = ["team", "operator"] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

const NAMES: Readonly<Record<SessionKind, string>> = {
  team: "postern-console",
  operator: "postern-operator",
};
const SECURE = "__Host-";

/**
 * Returns the name of the cookie at this origin. Null: the origin uses plain http and is not on a
 * developer's machine, so a session would not be safe.
 */
export function cookieName(
  kind: SessionKind,
  { env, url }: Pick<BrowserRequest, "env" | "url">,
): string | null {
  if (url().startsWith("https://")) return SECURE + NAMES[kind];
  return isLocal(env) ? NAMES[kind] : null;
}

/** Makes the header that gives the session to the browser. */
export function setCookie(
  name: string,
  value: string,
  lifeMs = CONSOLE_SESSION_MS,
): Record<string, string> {
  return cookie(name, value, Math.ceil(lifeMs / SECOND_MS));
}

/** Makes the header that deletes the session in the browser. */
export function clearCookie(name: string): Record<string, string> {
  return cookie(name, "", 0);
}

export function readCookie(headers: Headers, name: string): string | undefined {
  const start = `${name}=`;
  const cookies = (headers.get("Cookie") ?? "").split(";").map((one) => one.trim());
  return cookies.find((one) => one.startsWith(start))?.slice(start.length);
}

function cookie(name: string, value: string, seconds: number): Record<string, string> {
  const secure = name.startsWith(SECURE) ? " Secure;" : "";
  const attributes = `HttpOnly;${secure} SameSite=Strict; Path=/; Max-Age=${seconds}`;
  return { "Set-Cookie": `${name}=${value}; ${attributes}` };
}
