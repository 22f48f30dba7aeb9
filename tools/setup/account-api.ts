// Reads and writes the Email Service's objects in the Cloudflare account of wrangler's login:
// sending domains, event subscriptions and quota. Wrangler's own commands print tables for people,
// without zone ids. Therefore this file calls the same API endpoints as those commands.
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

/**
 * `quota` is null if the account has no quota. `usage` is null if Cloudflare does not report the
 * usage.
 */
export interface SendingLimits {
  readonly quota: { readonly value: number; readonly unit: string } | null;
  readonly usage: {
    readonly sent: number;
    readonly over_quota: boolean;
    readonly resets_at: string | null;
  } | null;
}

/** The API's base URL, unless CLOUDFLARE_API_BASE_URL is set. Wrangler uses the same variable. */
const BASE_URL = "https://api.cloudflare.com/client/v4";
const PER_PAGE = 100;
const MOST_PAGES = 100;
const SENDING = "Zone · Email Sending · Edit";
const QUEUES = "Account · Queues · Edit";
const ZONES = "Zone · Zone · Read";

export class AccountApi {
  readonly #url: string;
  readonly #account: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, account: string, headers: Readonly<Record<string, string>>) {
    this.#url = url.replace(/\/$/, "");
    this.#account = account;
    this.#headers = headers;
  }

  /** Gets the login's credentials. Throws a CallProblem. */
  static async open(wrangler: Wrangler, environment: CommandEnvironment): Promise<AccountApi> {
    const headers = await credentials(wrangler);
    const url = environment["CLOUDFLARE_API_BASE_URL"] || BASE_URL;
    return new AccountApi(url, wrangler.accountId ?? "", headers);
  }

  /** Returns the account's zone that contains the domain, or null if no zone does. */
  async zoneOf(domain: string): Promise<AccountZone | null> {
    const labels = domain.split(".");
    for (let cut = 0; cut < labels.length - 1; cut += 1) {
      const name = labels.slice(cut).join(".");
      const query = `name=${encodeURIComponent(name)}&account.id=${this.#account}`;
      const zones = await this.#must<AccountZone[]>("GET", `/zones?${query}`, ZONES);
      const found = zones.find((zone) => zone.name === name);
      if (found !== undefined) return found;
    }
    return null;
  }

  async sendingDomains({ id }: AccountZone): Promise<readonly OnboardedDomain[]> {
    return this.#must("GET", `/zones/${id}/email/sending/subdomains`, SENDING);
  }

  /**
   * Onboards the domain, or enables its sending again. Cloudflare then publishes the domain's
   * records in the zone.
   */
  async enableSending({ id }: AccountZone, name: string): Promise<OnboardedDomain> {
    return this.#must("POST", `/zones/${id}/email/sending/subdomains`, SENDING, { name });
  }

  /** Returns the queue's id, or null if the account has no such queue. */
  async queueId(name: string): Promise<string | null> {
    const queues = await this.#must<{ queue_id: string; queue_name: string }[]>(
      "GET",
      `/accounts/${this.#account}/queues?name=${encodeURIComponent(name)}`,
      QUEUES,
    );
    return queues.find((queue) => queue.queue_name === name)?.queue_id ?? null;
  }

  /** Returns all event subscriptions of the account. */
  async subscriptions(): Promise<readonly EventSubscription[]> {
    const found: EventSubscription[] = [];
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const query = `page=${page}&per_page=${PER_PAGE}`;
      const some = await this.#must<EventSubscription[]>("GET", `${this.#list}?${query}`, QUEUES);
      found.push(...some);
      if (some.length < PER_PAGE) break;
    }
    return found;
  }

  async subscribe(subscription: Omit<EventSubscription, "id">): Promise<void> {
    await this.#must("POST", this.#list, QUEUES, subscription);
  }

  async changeSubscription(
    id: string,
    change: Partial<Omit<EventSubscription, "id" | "source">>,
  ): Promise<void> {
    await this.#must("PATCH", `${this.#list}/${id}`, QUEUES, change);
  }

  async sendingLimits(): Promise<SendingLimits> {
    return this.#must("GET", `/accounts/${this.#account}/email/sending/limits`, SENDING);
  }

  get #list(): string {
    return `/accounts/${this.#account}/event_subscriptions/subscriptions`;
  }

  async #must<Result>(
    method: string,
    path: string,
    needs: string,
    body?: unknown,
  ): Promise<Result> {
    const answer = await this.#ask(method, path, body);
    if (answer.status < 300 && member(answer.json, "success") === true)
      return member(answer.json, "result") as Result;
    const isRefused = answer.status === 401 || answer.status === 403;
    const mend = isRefused
      ? `give wrangler's login the permission ${needs}: run npx wrangler login again, or give ` +
        "CLOUDFLARE_API_TOKEN this permission; then run this again"
      : "fix this error, then run this again: completed steps are kept";
    const [what = ""] = path.split("?");
    throw new CallProblem(`${method} ${what}: Cloudflare answered ${errorTextOf(answer)}`, mend);
  }

  async #ask(method: string, path: string, body: unknown): Promise<JsonResponse> {
    try {
      return await call(method, `${this.#url}${path}`, { headers: this.#headers, body });
    } catch (error) {
      if (!(error instanceof NoHttpResponse)) throw error;
      throw new CallProblem(
        `Cloudflare's API at ${this.#url} does not answer: ${error.message}`,
        "check the network, then run this again",
      );
    }
  }
}
