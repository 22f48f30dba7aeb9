// Reads and writes the objects that set-up and the doctor need in the Cloudflare account of
// wrangler's login. Wrangler's own commands print tables for people, without zone ids. Therefore
// this file calls Cloudflare's API itself.
import { isRefusedRight } from "./account/cloudflare-codes.ts";
import { call, type JsonResponse, member, NoHttpResponse, errorTextOf } from "./json-call.ts";
import type { CommandEnvironment, Wrangler } from "./run-wrangler.ts";
import { CallProblem } from "./setup-problem.ts";
import { credentials } from "./wrangler-login.ts";

export interface AccountZone {
  readonly id: string;
  readonly name: string;
}

export interface OnboardedDomain {
  readonly name: string;
  readonly enabled: boolean;
  readonly dkim_selector?: string | null;
  readonly return_path_domain?: string | null;
}

export interface EventSubscription {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly events: readonly string[];
  readonly source: {
    readonly type: string;
    readonly zone_id?: string;
    readonly domain?: string;
  };
  readonly destination: { readonly type: string; readonly queue_id: string };
}

/** A worker that reads from the queue is in `script`, or in `service` in older answers. */
interface AccountQueue {
  readonly queue_name: string;
  readonly consumers?: readonly { readonly script?: string; readonly service?: string }[];
}

/**
 * `quota` is null while the account may not send. Null does not mean that a limit is missing.
 * `usage` is null if Cloudflare does not report it.
 */
export interface SendingLimits {
  readonly quota: { readonly value: number; readonly unit: string } | null;
  readonly usage: {
    readonly sent: number;
    readonly over_quota: boolean;
    readonly resets_at: string | null;
  } | null;
}

/** An application of Cloudflare Access, with the hosts and paths that it protects. */
export interface AccessApplication {
  readonly name: string;
  /** The audience tag in the application's assertions. */
  readonly aud: string;
  readonly domain?: string;
  readonly self_hosted_domains?: readonly string[];
  readonly destinations?: readonly { readonly uri?: string }[];
}

/** The API's base URL. CLOUDFLARE_API_BASE_URL can replace it. Wrangler uses the same variable. */
const BASE_URL = "https://api.cloudflare.com/client/v4";
const PER_PAGE = 100;
const MOST_PAGES = 100;
const SENDING = needsRight("Zone · Email Sending · Edit");
const QUEUES = needsRight("Account · Queues · Edit");
const ZONES = needsRight("Zone · Zone · Read");
const DESTINATIONS = needsRight("Account · Email Routing Addresses · Read");
/** The most addresses or rules of Email Routing on a page of a list. */
export const ROUTING_AT_ONCE = 50;

export class AccountApi {
  readonly #url: string;
  readonly #account: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, account: string, headers: Readonly<Record<string, string>>) {
    this.#url = url.replace(/\/$/, "");
    this.#account = account;
    this.#headers = headers;
  }

  /** Gets the login's credentials. Throws a CallProblem if wrangler prints none. */
  static async open(wrangler: Wrangler, environment: CommandEnvironment): Promise<AccountApi> {
    const headers = await credentials(wrangler);
    const url = environment["CLOUDFLARE_API_BASE_URL"] || BASE_URL;
    return new AccountApi(url, wrangler.accountId ?? "", headers);
  }

  /** Returns the same API with another token. */
  withToken(token: string): AccountApi {
    return new AccountApi(this.#url, this.#account, { authorization: `Bearer ${token}` });
  }

  /** Returns the account's zone that contains the domain, or null if no zone does. */
  async zoneOf(domain: string): Promise<AccountZone | null> {
    const labels = domain.split(".");
    for (let cut = 0; cut < labels.length - 1; cut += 1) {
      const name = labels.slice(cut).join(".");
      const query = `name=${encodeURIComponent(name)}&account.id=${this.#account}`;
      const zones = await this.list<AccountZone>(`/zones?${query}`, ZONES);
      const found = zones.find((zone) => zone.name === name);
      if (found !== undefined) return found;
    }
    return null;
  }

  async sendingDomains({ id }: AccountZone): Promise<readonly OnboardedDomain[]> {
    return this.list(`/zones/${id}/email/sending/subdomains`, SENDING);
  }

  /** Onboards the domain, or enables it again. Cloudflare then publishes the domain's records. */
  async enableSending({ id }: AccountZone, name: string): Promise<OnboardedDomain> {
    return this.must("POST", `/zones/${id}/email/sending/subdomains`, SENDING, { name });
  }

  /** Returns the queue's id, or null if the account has no such queue. */
  async queueId(name: string): Promise<string | null> {
    const queues = await this.list<{ queue_id: string; queue_name: string }>(
      `/accounts/${this.#account}/queues?name=${encodeURIComponent(name)}`,
      QUEUES,
    );
    return queues.find((queue) => queue.queue_name === name)?.queue_id ?? null;
  }

  /** Returns the names of the workers that read from each queue, by the queue's name. */
  async queueReaders(): Promise<ReadonlyMap<string, readonly string[]>> {
    const path = `/accounts/${this.#account}/queues`;
    const queues = await this.listAll<AccountQueue>(path, QUEUES, PER_PAGE);
    const readersOf = ({ consumers = [] }: AccountQueue): string[] =>
      consumers.flatMap(({ script, service }) => script ?? service ?? []);
    return new Map(queues.map((queue) => [queue.queue_name, readersOf(queue)]));
  }

  /**
   * Returns the object at a path, or null if the path has none. A bucket of a jurisdiction is found
   * only if the call names the jurisdiction. Throws a CallProblem for any other refusal.
   */
  async find(path: string, mendRight: string, jurisdiction?: "eu"): Promise<unknown> {
    const headers = jurisdiction && { "cf-r2-jurisdiction": jurisdiction };
    const answer = await this.ask("GET", path, undefined, headers);
    return answer.status === 404 ? null : resultOf(answer, `GET ${path}`, mendRight);
  }

  get account(): string {
    return this.#account;
  }

  /** Returns all event subscriptions of the account. */
  async subscriptions(): Promise<readonly EventSubscription[]> {
    return this.listAll(this.#list, QUEUES, PER_PAGE);
  }

  async accessApplications(mendRight: string): Promise<readonly AccessApplication[]> {
    return this.listAll(`/accounts/${this.#account}/access/apps`, mendRight, PER_PAGE);
  }

  async subscribe(subscription: Omit<EventSubscription, "id">): Promise<void> {
    await this.must("POST", this.#list, QUEUES, subscription);
  }

  async changeSubscription(
    id: string,
    change: Partial<Omit<EventSubscription, "id" | "source">>,
  ): Promise<void> {
    await this.must("PATCH", `${this.#list}/${id}`, QUEUES, change);
  }

  async sendingLimits(): Promise<SendingLimits> {
    const path = `/accounts/${this.#account}/email/sending/limits`;
    const limits = await this.must<Partial<SendingLimits> | null>("GET", path, SENDING);
    return { quota: limits?.quota ?? null, usage: limits?.usage ?? null };
  }

  /** Tells whether the address is a verified destination of the account's Email Routing. */
  async isVerifiedDestination(address: string): Promise<boolean> {
    const listed = await this.listAll<{ email: string; verified: string | null }>(
      `/accounts/${this.#account}/email/routing/addresses`,
      DESTINATIONS,
      ROUTING_AT_ONCE,
    );
    const found = listed.find(({ email }) => email.toLowerCase() === address.toLowerCase());
    return found !== undefined && found.verified !== null;
  }

  get #list(): string {
    return `/accounts/${this.#account}/event_subscriptions/subscriptions`;
  }

  /**
   * Makes a call and returns its result. Throws a CallProblem if the call fails. If the login lacks
   * a right, the problem's remedy is `mendRight`.
   */
  async must<Result>(
    method: string,
    path: string,
    mendRight: string,
    body?: unknown,
  ): Promise<Result> {
    const answer = await this.ask(method, path, body);
    return resultOf(answer, `${method} ${path}`, mendRight) as Result;
  }

  /**
   * Returns a list. If the account has no such objects, the API may answer null, and the list is
   * empty. Throws a CallProblem if the call fails.
   */
  async list<Row>(path: string, mendRight: string): Promise<readonly Row[]> {
    const rows = await this.must<unknown>("GET", path, mendRight);
    return Array.isArray(rows) ? (rows as Row[]) : [];
  }

  /** Returns all pages of a list. Throws a CallProblem as list() does. */
  async listAll<Row>(path: string, mendRight: string, perPage: number): Promise<readonly Row[]> {
    const all: Row[] = [];
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const query = `page=${page}&per_page=${perPage}`;
      const some = await this.list<Row>(`${path}?${query}`, mendRight);
      all.push(...some);
      if (some.length < perPage) break;
    }
    return all;
  }

  /** Makes a call, and returns even a refusal. Throws a CallProblem if no answer comes. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    more: Readonly<Record<string, string>> = {},
  ): Promise<JsonResponse> {
    const headers = { ...this.#headers, ...more };
    const answer = await call(method, `${this.#url}${path}`, { headers, body });
    if (!(answer instanceof NoHttpResponse)) return answer;
    throw new CallProblem(
      `Cloudflare's API at ${this.#url} does not answer: ${answer.message}`,
      "check the network, then run this again",
    );
  }
}

/** Returns the result. Throws a CallProblem for a failed call. `what` is its method and path. */
function resultOf(answer: JsonResponse, what: string, mendRight: string): unknown {
  if (answer.status < 300 && member(answer.json, "success") === true)
    return member(answer.json, "result");
  const mend = isRefusedRight(answer)
    ? mendRight
    : "fix this error, then run this again: completed steps are kept";
  const [asked = ""] = what.split("?");
  throw new CallProblem(`${asked}: Cloudflare answered ${errorTextOf(answer)}`, mend);
}

/** Returns the sentence that says how a login gets the missing right. */
export function needsRight(right: string): string {
  return (
    `give wrangler's login the permission ${right}: run npx wrangler login again, or give ` +
    "CLOUDFLARE_API_TOKEN this permission; then run this again"
  );
}
