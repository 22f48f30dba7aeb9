// Cloudflare's API for the double of the account, with the real API's envelope and codes. It serves
// the calls of set-up and the doctor, and stores its state in the account. It can refuse a call, or
// kill set-up. One subject: the API.
import { createHash, randomUUID } from "node:crypto";
import {
  type HttpRequest,
  type HttpServer,
  jsonBody,
  jsonReply,
  type LocalReply,
  serveHttp,
} from "../http-server.ts";
import { ApiRefusal, refusalReply, resultReply } from "../api-reply.ts";
import type { ConfigRule } from "../front/front-zone.ts";
import { serveHostnames, serveRoutes } from "../front/hostname-api.ts";
import { type Account, lacks, takeFault, type TokenRight } from "./cloudflare-account.ts";
import type { WranglerDouble, WranglerEnvironment } from "./wrangler-double.ts";

export interface AccountOutside {
  /** Publishes the records of a domain that was onboarded to the Email Service. */
  readonly onboard: (domain: string) => Promise<void>;
  /** Answers calls about the zone's records, and calls with tokens unknown to the account. */
  readonly dns?: (request: HttpRequest, path: readonly string[]) => Promise<LocalReply>;
}

/** A command of wrangler, as wrangler-program.ts sends it. */
export interface PassedCommand {
  readonly argv: readonly string[];
  readonly stdin: string;
  readonly environment: WranglerEnvironment;
  readonly root: string;
}

type Body = Record<string, unknown>;

/** The right that a call needs. The first entry whose words occur in the call's path applies. */
const RIGHTS: readonly (readonly [words: string, right: TokenRight])[] = [
  ["/email/routing", "Email Routing"],
  ["/email/sending", "Email Sending"],
  ["/rulesets", "Config Rules"],
  ["/access", "Access"],
  ["/custom_hostnames", "SSL and Certificates"],
  ["/workers/routes", "Workers Routes"],
  ["/queues", "Queues"],
  ["/event_subscriptions", "Queues"],
  ["/workers", "Workers Scripts"],
  ["/d1", "D1"],
  ["/r2", "Workers R2 Storage"],
  ["/zones", "Zone"],
];
const CONFIG_PHASE = "http_config_settings";
const RULESET_ID = "c0ffee00c0ffee00c0ffee00c0ffee00";
/** The number of Configuration Rules that a Free zone may have. */
const MOST_CONFIG_RULES = 10;

/** Returns the id of a queue, which depends only on its name. */
export function queueIdOf(name: string): string {
  return createHash("md5").update(name).digest("hex");
}

export class AccountApiDouble {
  /** The calls without their queries, such as `POST /zones/:id/email/sending/subdomains`. */
  readonly calls: string[] = [];
  readonly #wrangler: WranglerDouble;
  readonly #outside: AccountOutside;
  #http: HttpServer | null = null;

  constructor(wrangler: WranglerDouble, outside: AccountOutside) {
    this.#wrangler = wrangler;
    this.#outside = outside;
  }

  async listen(): Promise<string> {
    this.#http = await serveHttp(0, (request) =>
      request.path[0] === "wrangler" ? this.command(request) : this.answer(request, request.path),
    );
    return `http://127.0.0.1:${this.#http.port}`;
  }

  async close(): Promise<void> {
    await this.#http?.close();
  }

  async command(request: HttpRequest): Promise<LocalReply> {
    const { argv, stdin, environment, root } = jsonBody(request) as unknown as PassedCommand;
    return jsonReply(200, await this.#wrangler.run(argv, stdin, environment, root));
  }

  /** Answers a call. `path` has the segments after `/client/v4`. Null: the call gets no answer. */
  async answer(request: HttpRequest, path: readonly string[]): Promise<LocalReply | null> {
    const { account } = this.#wrangler;
    const what = `${request.method} /${path.join("/")}`;
    const token = (request.headers.authorization ?? "").replace("Bearer ", "");
    const { dns } = this.#outside;
    const isOfZone = path[0] === "zones" && path.length <= 2 && isZoneToken(account, token);
    if (dns && (path[2] === "dns_records" || isOfZone || account.tokens[token] === undefined))
      return dns(request, path);
    this.calls.push(what.replace(/\/[0-9a-f-]{32,36}(?=\/|$)|\/acc\d+/g, "/:id"));
    try {
      const isKnown = account.loggedIn && account.tokens[token] !== undefined;
      if (!isKnown) throw new ApiRefusal(400, 9109, "Invalid access token");
      const fault = takeFault(account, what);
      if (fault?.kind === "refuse")
        throw new ApiRefusal(fault.status ?? 403, fault.code ?? 2036, fault.says ?? "Unauthorized");
      if (fault?.kind === "print") return pageReply(fault.says ?? "Bad gateway");
      if (fault?.kind === "kill_before") return this.#killed();
      refuseWithoutRight(account, token, what);
      const body = request.body.length === 0 ? {} : (JSON.parse(request.body.toString()) as Body);
      const query = new URLSearchParams(request.query);
      query.set("jurisdiction", String(request.headers["cf-r2-jurisdiction"] ?? ""));
      const reply =
        path[2] === "custom_hostnames"
          ? serveHostnames(account, request, path.slice(2))
          : resultReply(await this.#route(request.method, path, query, body));
      return fault?.kind === "kill_after" ? this.#killed() : reply;
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      return refusalReply(error.status, error.code, error.message);
    }
  }

  /** Kills set-up during its call, so that the call never gets an answer. */
  #killed(): null {
    this.#wrangler.killCaller();
    return null;
  }

  async #route(
    verb: string,
    path: readonly string[],
    query: URLSearchParams,
    body: Body,
  ): Promise<unknown> {
    const { account } = this.#wrangler;
    const [root, id = "", noun = "", kind = "", last = "", more = ""] = path;
    if (root === "zones" && id === "")
      return account.zones
        .filter(({ name }) => name === query.get("name"))
        .map((zone) => ({ ...zone, account: account.accounts[0] }));
    const place = [noun, kind, last].join("/");
    if (root === "zones" && place === "email/sending/subdomains")
      return this.#sendingDomains(account, verb, id, more, body);
    if (root === "zones" && place === "email/routing/")
      return { enabled: true, support_subaddress: account.subaddressing };
    if (root === "zones" && place === "email/routing/rules")
      return verb === "POST" ? addRoutingRule(account, body) : account.routing;
    if (root === "zones" && [noun, kind].join("/") === "workers/routes")
      return serveRoutes(account, verb, last, body);
    if (root === "zones" && noun === "rulesets") return configRules(account, verb, path, body);
    if (noun === "queues") return listQueues(account, query.get("name"));
    if (noun === "d1") return listDatabases(account, last, query.get("name"));
    if (noun === "r2" && last !== "")
      return findBucket(account, last, query.get("jurisdiction") ?? "");
    if (["workers", "r2"].includes(noun)) return [];
    if (noun === "access") return query.get("page") === "1" ? account.access_apps : [];
    if (noun === "event_subscriptions") return subscriptions(account, verb, last, body);
    if (place === "email/sending/limits") return account.limits;
    if (place === "email/routing/addresses")
      return query.get("page") === "1" ? account.destinations : [];
    throw new ApiRefusal(404, 7003, `Could not route to /${path.join("/")}`);
  }

  async #sendingDomains(
    account: Account,
    verb: string,
    zoneId: string,
    tag: string,
    body: Body,
  ): Promise<unknown> {
    if (verb === "GET") return account.sending.filter(({ zone_id }) => zone_id === zoneId);
    if (verb === "DELETE") {
      account.sending = account.sending.filter((domain) => domain.tag !== tag);
      return { tag };
    }
    const name = String(body["name"]);
    const zone = account.zones.find(({ id }) => id === zoneId);
    if (!zone || !`.${name}`.endsWith(`.${zone.name}`))
      throw new ApiRefusal(400, 2007, `${name} is not within the zone`);
    const known = account.sending.find((domain) => domain.name === name);
    const domain = known ?? { name, zone_id: zoneId, enabled: true, tag: randomUUID() };
    domain.enabled = true;
    if (!known) account.sending.push(domain);
    await this.#outside.onboard(name);
    return domain;
  }
}

/**
 * Refuses a call if the token lacks a right or the product was never enabled. Uses the real API's
 * code.
 */
function refuseWithoutRight(account: Account, token: string, what: string): void {
  const right = RIGHTS.find(([words]) => what.includes(words))?.[1];
  if (right !== undefined && lacks(account, token, right))
    throw new ApiRefusal(403, 10_000, "Authentication error");
  const product = account.disabled.find((name) => what.includes(`/${name.toLowerCase()}/`));
  if (product !== undefined)
    throw new ApiRefusal(403, 10_042, `Please enable ${product} through the Cloudflare Dashboard.`);
}

/** Tells whether the token belongs to the zone. The DNS double answers its calls about the zone. */
function isZoneToken(account: Account, token: string): boolean {
  return lacks(account, token, "Workers Scripts") && !lacks(account, token, "Zone");
}

function listQueues(account: Account, name: string | null): unknown {
  return account.queues
    .filter((queue) => name === null || queue === name)
    .map((queue) => {
      const reader = account.readers[queue];
      const consumers = reader === undefined ? [] : [{ type: "worker", script: reader }];
      const jurisdiction = account.jurisdictions[queue] ?? null;
      return { queue_id: queueIdOf(queue), queue_name: queue, consumers, jurisdiction };
    });
}

/** Returns the databases with this name or id. Here a database's id is its name. */
function listDatabases(account: Account, id: string, name: string | null): unknown {
  const all = Object.keys(account.databases).map((one) => ({
    uuid: one,
    name: one,
    jurisdiction: account.jurisdictions[one] ?? null,
  }));
  return id === "" ? all.filter((one) => one.name === name) : all.find((one) => one.uuid === id);
}

/** Calls find a bucket of a jurisdiction only if they name the jurisdiction. */
function findBucket(account: Account, name: string, jurisdiction: string): unknown {
  if (!account.buckets.includes(name) || (account.jurisdictions[name] ?? "") !== jurisdiction)
    throw new ApiRefusal(404, 10_006, "The specified bucket does not exist.");
  return { name, creation_date: "2026-11-21T09:30:00Z" };
}

function addRoutingRule(account: Account, body: Body): unknown {
  const rule = { ...(body as Omit<Account["routing"][number], "id">), id: randomUUID() };
  account.routing.push(rule);
  return rule;
}

/**
 * Returns the ruleset of the phase `http_config_settings`. A zone has no such ruleset until its
 * first rule.
 */
function configRules(
  account: Account,
  verb: string,
  [, , , kind, last, more]: readonly string[],
  body: Body,
): unknown {
  const ruleset = () => ({ id: RULESET_ID, phase: CONFIG_PHASE, rules: account.config_rules });
  if (kind === "phases" && last === CONFIG_PHASE && more === "entrypoint" && verb === "GET") {
    if (account.config_rules !== null) return ruleset();
    throw new ApiRefusal(
      404,
      10_003,
      `could not find entrypoint ruleset in the ${CONFIG_PHASE} phase at the zone level`,
    );
  }
  if (verb !== "POST") throw new ApiRefusal(405, 10_405, "Method not allowed");
  if (kind === undefined) {
    if (account.config_rules !== null)
      throw new ApiRefusal(400, 20_217, `a ruleset of the phase ${CONFIG_PHASE} exists already`);
    account.config_rules = [...((body["rules"] ?? []) as ConfigRule[])];
    return ruleset();
  }
  if (kind !== RULESET_ID || account.config_rules === null)
    throw new ApiRefusal(404, 10_003, "could not find ruleset");
  if (account.config_rules.length >= MOST_CONFIG_RULES)
    throw new ApiRefusal(400, 20_023, "exceeded maximum number of rules in the phase");
  account.config_rules = [...account.config_rules, body as unknown as ConfigRule];
  return ruleset();
}

function subscriptions(account: Account, verb: string, id: string, body: Body): unknown {
  if (verb === "GET") return account.subscriptions;
  const asked = body as Partial<Account["subscriptions"][number]>;
  const { source } = asked;
  if (verb === "POST" && !account.sending.some(({ name }) => name === source?.domain))
    throw new ApiRefusal(404, 10_009, `resource not found on source: ${source?.domain}`);
  const known = account.subscriptions.find((one) => one.id === id);
  if (verb !== "POST" && !known) throw new ApiRefusal(404, 10_009, "subscription not found");
  const others = account.subscriptions.filter((one) => one !== known);
  account.subscriptions = others;
  if (verb === "DELETE") return known;
  const changed = { ...known, id: known?.id ?? randomUUID(), ...asked };
  account.subscriptions = [...others, changed as Account["subscriptions"][number]];
  return changed;
}

function pageReply(words: string): LocalReply {
  const body = `<!doctype html><title>${words}</title><h1>${words}</h1>`;
  return { status: 502, headers: { "content-type": "text/html" }, body };
}
