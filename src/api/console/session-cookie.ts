// Names, writes and reads the console's cookies (contract.md §Console sessions). A cookie with the
// prefix `__Host-` is taken by browsers only over https, for exactly this host and every path.
import { isLocal } from "../../settings.ts";
import { CONSOLE_SESSION_MS } from "../../limits.ts";
import type { BrowserRequest } from "./own-origin.ts";

/** The kinds of sessions, each with a cookie of its own. */
export const SESSION_KINDS = ["team", "operator"] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

const NAMES: Readonly<Record<SessionKind, string>> = {
  team: "postern-console",
  operator: "postern-operator",
};
const SECURE = "__Host-";
const SECOND_MS = 1_000;

/**
 * Returns the name of the cookie at this origin. Null: a session is not safe there, because the
 * origin is plain http and not on a developer's machine.
 */
export function cookieName(
  kind: SessionKind,
  { env, url }: Pick<BrowserRequest, "env" | "url">,
): string | null {
  if (url().startsWith("https://")) return SECURE + NAMES[kind];
  return isLocal(env) ? NAMES[kind] : null;
}

/** The header that hands a session to the browser. */
export function setCookie(name: string, value: string): Record<string, string> {
  return cookie(name, value, CONSOLE_SESSION_MS / SECOND_MS);
}

/** The header that has the browser forget a session. */
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
