// Calls the endpoints of /v1/domains as api/app.ts does: checks bodies by their schema, and returns
// refusals as code and errors.
import { env as bindings } from "cloudflare:workers";
import type * as z from "zod";
import { errorReply } from "../../../../src/api/errors.ts";
import type { ApiRequest, Caller } from "../../../../src/endpoint.ts";
import type { Env } from "../../../../src/env.ts";
import { newId } from "../../../../src/lib/ids.ts";
import { type FieldErrors, RefusalError } from "../../../../src/refusal.ts";
import { domainEndpoints } from "../../../../src/resources/domains/routes.ts";
import { Domain } from "../../../../src/resources/domains/wire.ts";
import { type CourierName, type Settings, settingsOf } from "../../../../src/settings.ts";
import { ON_SHARD_0 } from "../../../support/shard-bindings.ts";
import { UNNOTED_FIRST_MAIL } from "../../../../src/regions.ts";
import { newIdOn } from "../../../../src/db/core-shards.ts";

export const env = bindings as unknown as Env;
export const settings = settingsOf(env);

export type DomainJson = z.output<typeof Domain>;

export interface CallOptions {
  readonly id?: string;
  readonly body?: unknown;
  readonly page?: { limit: number; after: string | null };
  readonly now?: number;
  readonly env?: Env;
  /** The value of the worker's secret EMAIL_API_TOKEN. Absent: the secret is empty. */
  readonly emailApiToken?: string;
  readonly trackingHosts?: Settings["trackingHosts"];
}

let made = 0;

/** Makes a team. Teams take turns on the core shards. `courier`: the operator's choice, if any. */
export function newTeam(courier: CourierName | null = null): Caller {
  made += 1;
  const team = {
    id: newIdOn(made % 2, "team"),
    name: "A team",
    number: 1,
    shards: ON_SHARD_0,
    subscription: "active" as const,
    limits: { daily: 1, monthly: 1, deliveryRatePerMinute: 1, requestsPerSecond: 1 },
    labelCaps: { tagsPerHour: 1, topicPerHour: 1, campaignPerHour: 1, campaignPer72Hours: 1 },
    eventRetentionDays: 3,
    contentDays: null,
    topicNames: null,
    ipPools: [],
    courier,
    region: null,
    firstMail: UNNOTED_FIRST_MAIL,
    startingCredits: 0,
    changedAt: 0,
  };
  const key = { id: newId("key"), name: "x", permissions: "full" as const, allowedDomains: null };
  return { team, key, session: null };
}

/**
 * Calls an endpoint by its method and path, such as `POST /v1/domains/:id/verify`. Throws a zod
 * error if the endpoint's schema refuses the body.
 */
export async function call(caller: Caller, name: string, options: CallOptions = {}) {
  const found = domainEndpoints.find(({ method, path }) => `${method} ${path}` === name);
  if (!found) throw new Error(`no endpoint ${name}`);
  const request: ApiRequest = {
    env: options.env ?? env,
    settings: {
      ...settings,
      emailApiToken: options.emailApiToken ?? "",
      trackingHosts: options.trackingHosts ?? "direct",
    },
    caller,
    author: null,
    params: {},
    id: options.id ?? "",
    query: undefined,
    body: found.body ? found.body.parse(options.body) : undefined,
    page: options.page ?? { limit: 20, after: null },
    bytes: new Uint8Array(),
    method: found.method,
    path: found.path,
    requestId: "req_test",
    headers: new Headers(),
    url: () => "https://api.postern.test/",
    location: () => ({}),
    now: options.now ?? Date.now(),
    defer: () => undefined,
    warnOfIgnored: () => undefined,
    warn: () => undefined,
    replyTo: (error) => errorReply(error, "req_test"),
    operationsOf: () => [],
  };
  return found.handle(request);
}

/** Returns the domain in a reply, checked against the published schema. */
export async function domainOf(reply: ReturnType<typeof call>): Promise<DomainJson> {
  return Domain.strict().parse(JSON.parse((await reply).body ?? "null"));
}

export async function create(
  caller: Caller,
  name: string,
  options: CallOptions = {},
): Promise<DomainJson> {
  return domainOf(call(caller, "POST /v1/domains", { ...options, body: { name } }));
}

/** Returns the code and the errors with which the endpoint refused the call. */
export async function refusalOf(
  work: Promise<unknown>,
): Promise<{ code: string; errors?: FieldErrors }> {
  const error: unknown = await work.then(
    () => new Error("it was not refused"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RefusalError)) throw error;
  return error.refusal;
}

export function randomName(suffix = "example.com"): string {
  return `d${crypto.randomUUID().slice(0, 8)}.${suffix}`;
}
