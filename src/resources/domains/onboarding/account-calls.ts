// Calls Cloudflare's API about sending domains and the subscriptions to their events, with the
// token EMAIL_API_TOKEN (docs/dns.md §The records of Cloudflare's Email Service).
import type { Settings } from "../../../settings.ts";
import {
  apiErrorOf,
  type ApiAnswer,
  callApi,
  isGone,
  isSuccess,
  memberOf,
} from "../cloudflare-calls.ts";
import { EVENT_TYPES } from "../../../operator/subscribed-events.ts";

export interface SendingZone {
  readonly zoneId: string;
  readonly accountId: string;
}

interface SendingDomain {
  /** Cloudflare's id of the domain. */
  readonly tag: string;
  readonly isEnabled: boolean;
}

/**
 * Thrown if a call to the API fails. `isFinal`: the API refused the call, and would refuse a retry
 * too. `code` is Cloudflare's error code.
 */
export class ApiProblem extends Error {
  readonly code: string | null;
  readonly isFinal: boolean;

  constructor(message: string, code: string | null, isFinal: boolean) {
    super(message);
    this.code = code;
    this.isFinal = isFinal;
  }
}

const SOURCE = "email.sending";
const SUBSCRIPTION_NAME_CHARACTERS = 100;
const PER_PAGE = 100;
const MOST_PAGES = 100;
/** Statuses of 4xx after which a retry may succeed. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

type Caller = Pick<Settings, "dnsApiUrl" | "emailApiToken">;

/** Returns the zone that contains the domain, or null if the token cannot read such a zone. */
export async function zoneOf(caller: Caller, domain: string): Promise<SendingZone | null> {
  const labels = domain.split(".");
  for (let cut = 0; cut < labels.length - 1; cut += 1) {
    const name = labels.slice(cut).join(".");
    const zones = await list(caller, `/zones?name=${encodeURIComponent(name)}`);
    const zone = zones.find((one) => memberOf(one, "name") === name);
    if (zone !== undefined)
      return {
        zoneId: textOf(zone, "id"),
        accountId: textOf(memberOf(zone, "account"), "id"),
      };
  }
  return null;
}

export async function sendingDomain(
  caller: Caller,
  { zoneId }: SendingZone,
  name: string,
): Promise<SendingDomain | null> {
  const known = await list(caller, `${domainsPath(zoneId)}?per_page=${PER_PAGE}`);
  const domain = known.find((one) => memberOf(one, "name") === name);
  if (domain === undefined) return null;
  return { tag: textOf(domain, "tag"), isEnabled: memberOf(domain, "enabled") === true };
}

/** Onboards a domain. Cloudflare then publishes its records in the zone. */
export async function enableSending(
  caller: Caller,
  { zoneId }: SendingZone,
  name: string,
): Promise<void> {
  await must(caller, "POST", domainsPath(zoneId), { name });
}

export async function disableSending(
  caller: Caller,
  { zoneId }: SendingZone,
  { tag }: SendingDomain,
): Promise<void> {
  await remove(caller, `${domainsPath(zoneId)}/${encodeURIComponent(tag)}`);
}

export async function queueIdOf(
  caller: Caller,
  { accountId }: SendingZone,
  queue: string,
): Promise<string | null> {
  const path = `/accounts/${encodeURIComponent(accountId)}/queues`;
  const queues = await list(caller, `${path}?name=${encodeURIComponent(queue)}`);
  const found = queues.find((one) => memberOf(one, "queue_name") === queue);
  return found === undefined ? null : textOf(found, "queue_id");
}

/** Returns the id of the subscription that sends the domain's events to the queue, or null. */
export async function subscriptionTo(
  caller: Caller,
  { accountId }: SendingZone,
  domain: string,
  queueId: string,
): Promise<string | null> {
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const query = `?page=${page}&per_page=${PER_PAGE}`;
    const some = await list(caller, `${subscriptionsPath(accountId)}${query}`);
    const found = some.find(
      (one) =>
        memberOf(memberOf(one, "source"), "type") === SOURCE &&
        memberOf(memberOf(one, "source"), "domain") === domain &&
        memberOf(memberOf(one, "destination"), "queue_id") === queueId,
    );
    if (found !== undefined) return textOf(found, "id");
    if (some.length < PER_PAGE) return null;
  }
  return null;
}

/**
 * Subscribes the queue to the domain's events. For some seconds after a domain's onboarding, the
 * API answers 404. So this 404 is not final.
 */
export async function subscribe(
  caller: Caller,
  { zoneId, accountId }: SendingZone,
  domain: string,
  queueId: string,
): Promise<void> {
  const body = {
    name: `postern ${domain}`.slice(0, SUBSCRIPTION_NAME_CHARACTERS),
    enabled: true,
    source: { type: SOURCE, zone_id: zoneId, domain },
    destination: { type: "queues.queue", queue_id: queueId },
    events: EVENT_TYPES,
  };
  const answer = await ask(caller, "POST", subscriptionsPath(accountId), body);
  if (isSuccess(answer)) return;
  const problem = problemOf(answer);
  const isNotYetKnown = answer.kind === "answer" && answer.status === 404;
  throw isNotYetKnown ? new ApiProblem(problem.message, problem.code, false) : problem;
}

export async function unsubscribe(
  caller: Caller,
  { accountId }: SendingZone,
  id: string,
): Promise<void> {
  await remove(caller, `${subscriptionsPath(accountId)}/${encodeURIComponent(id)}`);
}

function domainsPath(zoneId: string): string {
  return `/zones/${encodeURIComponent(zoneId)}/email/sending/subdomains`;
}

function subscriptionsPath(accountId: string): string {
  return `/accounts/${encodeURIComponent(accountId)}/event_subscriptions/subscriptions`;
}

async function list(caller: Caller, path: string): Promise<readonly unknown[]> {
  const listed = await must(caller, "GET", path);
  return Array.isArray(listed) ? listed : [];
}

/** Deletes an object. An object that no longer exists counts as deleted. */
async function remove(caller: Caller, path: string): Promise<void> {
  const answer = await ask(caller, "DELETE", path);
  if (!isGone(answer)) throw problemOf(answer);
}

async function must(
  caller: Caller,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await ask(caller, method, path, body);
  if (answer.kind === "answer" && isSuccess(answer)) return memberOf(answer.json, "result");
  throw problemOf(answer);
}

function ask(caller: Caller, method: string, path: string, body?: unknown): Promise<ApiAnswer> {
  return callApi(caller, method, path, { token: caller.emailApiToken, body });
}

function problemOf(answer: ApiAnswer): ApiProblem {
  const { code, message } = apiErrorOf(answer);
  if (answer.kind === "none")
    return new ApiProblem(`Cloudflare's API did not answer (${message}).`, code, false);
  const isFinal =
    answer.status >= 400 && answer.status < 500 && !PASSING_STATUSES.has(answer.status);
  const shown = code === null ? message : `${code}: ${message}`;
  return new ApiProblem(`Cloudflare's API answered ${shown}.`, code, isFinal);
}

function textOf(value: unknown, name: string): string {
  const text = memberOf(value, name);
  if (typeof text === "string" && text !== "") return text;
  throw new ApiProblem(`Cloudflare's API answered without ${name}.`, null, false);
}
