// Names the codes of Cloudflare's API that set-up and the doctor understand. Pure.
import { type JsonResponse, member } from "../json-call.ts";

/** A product was never enabled in the dashboard. */
export const NOT_ENABLED = 10_042;
/** The zone has as many DNS records as its plan allows. */
export const ZONE_FULL = 81_045;
/** An identical DNS record exists. */
export const RECORD_EXISTS = 81_058;
/** The path names an object that does not exist, such as a zone. */
export const NO_ROUTE = 7003;
/** The codes for a token that is invalid or lacks a right. */
const RIGHT_CODES: ReadonlySet<number> = new Set([10_000, 9109, 9106, 10_001, 10_023]);

/** Returns the code of the first error, or undefined. */
export function codeOf({ json }: JsonResponse): number | undefined {
  const errors = member(json, "errors");
  const code = Array.isArray(errors) ? member(errors[0], "code") : undefined;
  return typeof code === "number" ? code : undefined;
}

export function isRefusedRight(answer: JsonResponse): boolean {
  const code = codeOf(answer);
  if (answer.status >= 500 || code === NOT_ENABLED) return false;
  const isRefused = answer.status === 401 || answer.status === 403;
  return isRefused || (code !== undefined && RIGHT_CODES.has(code));
}
