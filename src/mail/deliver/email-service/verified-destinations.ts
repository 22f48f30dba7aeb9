// Knows the verified destination addresses of the operator's Cloudflare account. The Email Service
// delivers mail to them, but publishes no event about it (docs/couriers.md §Verified destinations).
// Each isolate reads the list with EMAIL_API_TOKEN at most once in ten minutes. If the list can't
// be read, the newest list that could be read counts. Without one, no address counts as verified.
import { BoundedCache } from "../../../lib/bounded-cache.ts";
import { logError } from "../../../lib/log.ts";
import {
  callApi,
  describeAnswer,
  isSuccess,
  memberOf,
} from "../../../resources/domains/cloudflare-calls.ts";
import type { Settings } from "../../../settings.ts";

const LIFETIME_MS = 10 * 60_000;
const TIMEOUT_MS = 5_000;
const PER_PAGE = 50;
/** An account has at most 200 destination addresses (email-service/platform/limits, 2026-10). */
const MOST_PAGES = 4;
const MOST_ACCOUNTS = 3;
const NO_ADDRESSES: ReadonlySet<string> = new Set();

type Caller = Pick<Settings, "dnsApiUrl" | "emailApiToken">;

const cache = new BoundedCache<ReadonlySet<string>>(1, LIFETIME_MS);
/** The last list that could be read, and its key in the cache. */
let last: { readonly key: string; readonly addresses: ReadonlySet<string> } | null = null;

/** Returns the addresses in lower case. Never throws. */
export async function verifiedDestinations(
  caller: Caller,
  now: number,
): Promise<ReadonlySet<string>> {
  const { dnsApiUrl, emailApiToken } = caller;
  if (emailApiToken === "") return NO_ADDRESSES;
  const key = `${dnsApiUrl} ${emailApiToken}`;
  const known = cache.get(key, now);
  if (known) return known;
  const endsAt = Date.now() + TIMEOUT_MS;
  const read = (path: string): Promise<unknown[]> =>
    listAt(caller, path, Math.max(0, endsAt - Date.now()));
  try {
    last = { key, addresses: await readAddresses(read) };
  } catch (error) {
    logError("verified_destinations_unknown", error);
  }
  const addresses = last?.key === key ? last.addresses : NO_ADDRESSES;
  cache.set(key, addresses, now);
  return addresses;
}

type ReadList = (path: string) => Promise<unknown[]>;

async function readAddresses(read: ReadList): Promise<ReadonlySet<string>> {
  const zones = await read(`/zones?per_page=${PER_PAGE}`);
  const accounts = new Set(zones.map(accountOf).filter((id) => id !== ""));
  const found = await Promise.all(
    [...accounts].slice(0, MOST_ACCOUNTS).map((id) => readAccount(read, id)),
  );
  return new Set(found.flat());
}

async function readAccount(read: ReadList, accountId: string): Promise<string[]> {
  const path = `/accounts/${encodeURIComponent(accountId)}/email/routing/addresses`;
  const addresses: string[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const listed = await read(`${path}?verified=true&per_page=${PER_PAGE}&page=${page}`);
    addresses.push(...listed.flatMap(verifiedAddress));
    if (listed.length < PER_PAGE) break;
  }
  return addresses;
}

async function listAt(caller: Caller, path: string, timeoutMs: number): Promise<unknown[]> {
  const token = caller.emailApiToken;
  const answer = await callApi(caller, "GET", path, { token, timeoutMs });
  if (answer.kind === "none" || !isSuccess(answer))
    throw new Error(`${describeAnswer(answer)} at ${path.split("?")[0]}`);
  const result = memberOf(answer.json, "result");
  return Array.isArray(result) ? result : [];
}

function accountOf(zone: unknown): string {
  const id = memberOf(memberOf(zone, "account"), "id");
  return typeof id === "string" ? id : "";
}

/**
 * Returns the address if it is verified. An address that is not verified yet has null instead of
 * the time of its verification.
 */
function verifiedAddress(listed: unknown): string[] {
  const [email, verified] = [memberOf(listed, "email"), memberOf(listed, "verified")];
  return typeof email === "string" && typeof verified === "string" ? [email.toLowerCase()] : [];
}
