// Calls Cloudflare's API about custom hostnames (Cloudflare for SaaS), in the zone that the service
// owns. With a custom hostname, Cloudflare issues the certificate of a customer's host
// (docs/tracking.md §Hosts).
import type { Settings } from "../../../settings.ts";
import {
  type ApiAnswer,
  callApi,
  describeAnswer,
  isGone,
  isSuccess,
  memberOf,
} from "../cloudflare-calls.ts";
import { printable } from "../dns-answer-texts.ts";

export interface CustomHostname {
  readonly id: string;
  readonly isActive: boolean;
  /** The status of the certificate, with Cloudflare's text about its validation if there is one. */
  readonly state: string;
}

/** The result of a call. `failed`: `reason` describes Cloudflare's answer. */
export type HostnameAnswer =
  | { readonly kind: "known"; readonly hostname: CustomHostname }
  | { readonly kind: "none" }
  | { readonly kind: "failed"; readonly reason: string };

type Caller = Pick<Settings, "dnsApiUrl" | "dnsApiToken" | "dnsZoneId">;

export async function findCustomHostname(caller: Caller, host: string): Promise<HostnameAnswer> {
  const answer = await call(caller, "GET", `?hostname=${encodeURIComponent(host)}`);
  if (!isSuccess(answer)) return toRefusal(answer);
  const listed = resultOf(answer);
  const found = Array.isArray(listed)
    ? listed.find((one) => memberOf(one, "hostname") === host)
    : undefined;
  return found === undefined ? { kind: "none" } : read(answer, found);
}

/**
 * Makes a custom hostname. Cloudflare validates the certificate over HTTP, which works because the
 * CNAME exists.
 */
export async function makeCustomHostname(caller: Caller, host: string): Promise<HostnameAnswer> {
  const body = { hostname: host, ssl: { method: "http", type: "dv" } };
  const answer = await call(caller, "POST", "", body);
  return isSuccess(answer) ? read(answer, resultOf(answer)) : toRefusal(answer);
}

/** Removes a custom hostname. Returns null if it no longer exists, else the failure's reason. */
export async function removeCustomHostname(caller: Caller, id: string): Promise<string | null> {
  const answer = await call(caller, "DELETE", `/${encodeURIComponent(id)}`);
  return isGone(answer) ? null : describeAnswer(answer);
}

function call(caller: Caller, method: string, path: string, body?: unknown): Promise<ApiAnswer> {
  const hostnames = `/zones/${encodeURIComponent(caller.dnsZoneId)}/custom_hostnames${path}`;
  return callApi(caller, method, hostnames, { token: caller.dnsApiToken, body });
}

function resultOf(answer: ApiAnswer): unknown {
  return answer.kind === "answer" ? memberOf(answer.json, "result") : undefined;
}

function toRefusal(answer: ApiAnswer): HostnameAnswer {
  return { kind: "failed", reason: describeAnswer(answer) };
}

function read(answer: ApiAnswer, hostname: unknown): HostnameAnswer {
  const [id, ssl] = [memberOf(hostname, "id"), memberOf(hostname, "ssl")];
  if (typeof id !== "string") return toRefusal(answer);
  const status = memberOf(ssl, "status");
  const errors = memberOf(ssl, "validation_errors");
  const words = Array.isArray(errors) ? errors.map((one) => memberOf(one, "message")) : [];
  const state = [status, ...words].filter((one) => typeof one === "string").join(": ");
  return {
    kind: "known",
    hostname: { id, isActive: status === "active", state: printable(state || "unknown") },
  };
}
