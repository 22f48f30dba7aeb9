// Generated from the OpenAPI document by `npm run client`. Do not edit.
import { at, type ApiCaller, type ChangeOptions, type RequestOptions } from "../../../../packages/postern/src/request/api-call.ts";
import { Pages } from "../../../../packages/postern/src/request/item-pages.ts";
import type {
  Attention,
  AuditRecord,
  Check,
  CreateConsoleLinkRequest,
  CreateConsoleLinkResponse,
  CreateTeamRequest,
  CreateTeamResponse,
  DeadLetter,
  Deployment,
  Gateway,
  GetAttentionQuery,
  GetTeamDeliverabilityQuery,
  InviteOwner,
  ListDeadLettersQuery,
  ListOperatorAuditQuery,
  ListTeamsQuery,
  NewInvitation,
  Shard,
  Team,
  UpdateTeamRequest,
  WidenTeamRequest,
  WidenTeamResponse,
} from "./types.ts";
import type {
  Deliverability,
  Usage,
} from "../../../../packages/postern/src/generated/types.ts";

/** The operations below `/admin/teams`. */
export class TeamsApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * Get a team's mail by provider, and findings.
   *
   * Returns the same as the team's own `GET /v1/deliverability`.
   *
   * Needs the operator's token.
   */
  getDeliverability(id: string, query: GetTeamDeliverabilityQuery = {}, options?: RequestOptions): Promise<Deliverability> {
    return this.#call({ method: "GET", path: at`/admin/teams/${id}/deliverability`, query, options });
  }

  /**
   * Get a team's quotas, caps and waiting mail now.
   *
   * Returns the same as the team's own `GET /v1/usage`.
   *
   * Needs the operator's token.
   */
  getUsage(id: string, options?: RequestOptions): Promise<Usage> {
    return this.#call({ method: "GET", path: at`/admin/teams/${id}/usage`, options });
  }

  /**
   * Create a team and its first API key.
   *
   * The key has `full` permissions. Its secret is returned only once, in this response.
   *
   * Needs the operator's token.
   */
  create(body: CreateTeamRequest, options?: RequestOptions): Promise<CreateTeamResponse> {
    return this.#call({ method: "POST", path: "/admin/teams", body, options });
  }

  /**
   * List teams.
   *
   * Needs the operator's token.
   */
  list(query: ListTeamsQuery = {}, options?: RequestOptions): Pages<Team> {
    return new Pages(this.#call, "/admin/teams", query, options);
  }

  /**
   * Get a team.
   *
   * Needs the operator's token.
   */
  get(id: string, options?: RequestOptions): Promise<Team> {
    return this.#call({ method: "GET", path: at`/admin/teams/${id}`, options });
  }

  /**
   * Change a team's settings.
   *
   * Only the given members change.
   *
   * Needs the operator's token.
   */
  update(id: string, body: UpdateTeamRequest, options?: ChangeOptions): Promise<Team> {
    return this.#call({ method: "PATCH", path: at`/admin/teams/${id}`, body, options });
  }

  /**
   * Delete a team and everything it owns.
   *
   * Needs the operator's token.
   */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#call({ method: "DELETE", path: at`/admin/teams/${id}`, options });
  }

  /**
   * Spread a team's events over several shards.
   *
   * From the next UTC midnight that is at least an hour away, the team's days of events are stored
   * on `shards` in turn. Without `shards`, they are stored on the current shards and the emptiest
   * other one. Shards above 7 GB are left out while there are others. Events already written stay
   * where they are. Until an hour before that midnight, another call replaces this one.
   *
   * Needs the operator's token.
   */
  widen(id: string, body: WidenTeamRequest = {}, options?: RequestOptions): Promise<WidenTeamResponse> {
    return this.#call({ method: "POST", path: at`/admin/teams/${id}/shards`, body, options });
  }

  /**
   * Invite a team's first owner.
   *
   * Answers with a link for a person who signs in by Cloudflare Access.
   *
   * Needs the operator's token.
   */
  inviteOwner(id: string, body: InviteOwner, options?: RequestOptions): Promise<NewInvitation> {
    return this.#call({ method: "POST", path: at`/admin/teams/${id}/invitations`, body, options });
  }
}

/** The operations below `/admin/shards`. */
export class ShardsApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * List the shards.
   *
   * Needs the operator's token.
   */
  list(options?: RequestOptions): Promise<Shard> {
    return this.#call({ method: "GET", path: "/admin/shards", options });
  }
}

/** The operations below `/admin/dead-letters`. */
export class DeadLettersApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * List dead letters.
   *
   * Jobs that a queue gave up after the last attempt. Only their ids are kept, for 30 days.
   *
   * Needs the operator's token.
   */
  list(query: ListDeadLettersQuery = {}, options?: RequestOptions): Pages<DeadLetter> {
    return new Pages(this.#call, "/admin/dead-letters", query, options);
  }

  /**
   * Put a dead letter back onto its queue.
   *
   * The queue delivers the job again, and the dead letter is deleted. A delivery that was done
   * meanwhile is not repeated, because its team's ledger decides.
   *
   * Needs the operator's token.
   */
  requeue(id: string, options?: RequestOptions): Promise<DeadLetter> {
    return this.#call({ method: "POST", path: at`/admin/dead-letters/${id}/requeue`, options });
  }

  /**
   * Forget a dead letter.
   *
   * Needs the operator's token.
   */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#call({ method: "DELETE", path: at`/admin/dead-letters/${id}`, options });
  }
}

/** The operations below `/admin/metrics`. */
export class MetricsApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * Numbers for monitoring.
   *
   * Prometheus text format 0.0.4: totals over all teams, at most a minute old. If a source does not
   * answer, its metrics are left out and `postern_source_up` names it.
   *
   * Needs the operator's token.
   */
  get(options?: RequestOptions): Promise<string> {
    return this.#call({ method: "GET", path: "/admin/metrics", options });
  }
}

/** The operations below `/admin/attention`. */
export class AttentionApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * Get the teams that need attention.
   *
   * Lists the worst teams first. `critical` and `warning`: a provider refuses or defers the team's
   * mail, its bounces or complaints reach a published rate, its mail is stuck or held, or its ledger
   * is full. `notice`: the team has mail that has waited for its release for over an hour. Each
   * team's ledger watches its own mail, and reports a refusal within six minutes.
   *
   * Needs the operator's token.
   */
  get(query: GetAttentionQuery = {}, options?: RequestOptions): Promise<Attention> {
    return this.#call({ method: "GET", path: "/admin/attention", query, options });
  }
}

/** The operations below `/admin/checks`. */
export class ChecksApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * Judge the deployment's numbers and gateways.
   *
   * Every check with its limit, a sentence and the next step. `status`: `critical`, `warning`,
   * `unknown` (a source does not answer), `alert_only` (only Prometheus can judge the number) or
   * `ok`. `since` is the time when the worker first saw the check beyond its limit. Numbers are
   * totals over all teams, at most a minute old.
   *
   * Needs the operator's token.
   */
  get(options?: RequestOptions): Promise<Check> {
    return this.#call({ method: "GET", path: "/admin/checks", options });
  }
}

/** The operations below `/admin/deployment`. */
export class DeploymentApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * Get the deployment's settings, and whether its gateways agree.
   *
   * Asks each gateway whether it accepts this worker's token. `state`: `agreed`, `refused` (the
   * tokens differ), `unavailable` (it accepts no mail at the moment), `unreachable`, or `unexpected`
   * (something else answers there). No secret is shown.
   *
   * Needs the operator's token.
   */
  get(options?: RequestOptions): Promise<Deployment> {
    return this.#call({ method: "GET", path: "/admin/deployment", options });
  }
}

/** The operations below `/admin/gateways`. */
export class GatewaysApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * List the gateways, what each found about itself, and its destinations.
   *
   * Each gateway checks every hour what receivers see of it: the addresses that its mail leaves from
   * (`addresses`), their reverse DNS (`ptr`), the name that EHLO gives (`helo`), the service's SPF
   * record (`spf`), its `certificate`, and, if configured, block lists (`block_list`; `link` is the
   * page that takes an address off the list). `unknown`: the gateway could not find out. `failed`:
   * the word of an earlier version of the gateway for `critical`. `destinations` lists the twenty
   * most used now: their connections (`open`), the messages that wait for a connection (`waiting`),
   * the connections refused since the gateway's start (`refused`), how many connections they may
   * have now (`concurrency`) and the reason for that number (`why`): `most` (the maximum for a
   * destination of its kind), `answers` (the number grows as its servers answer), `failures` (its
   * servers fail), `announced` (a server announced this limit) or `share` (other destinations use
   * the rest). `watch` is null if the gateway is down or of an earlier version.
   *
   * Needs the operator's token.
   */
  get(options?: RequestOptions): Promise<Gateway> {
    return this.#call({ method: "GET", path: "/admin/gateways", options });
  }
}

/** The operations below `/admin/console-links`. */
export class ConsoleLinksApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * Make a link that signs in to the console.
   *
   * The link works once, for 10 minutes, and signs in with the team's oldest key that has `full`
   * permissions. A log line names the team and the time.
   *
   * Needs the operator's token.
   */
  create(body: CreateConsoleLinkRequest, options?: RequestOptions): Promise<CreateConsoleLinkResponse> {
    return this.#call({ method: "POST", path: "/admin/console-links", body, options });
  }
}

/** The operations below `/admin/audit`. */
export class AuditApi {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

  /**
   * List what the operator changed.
   *
   * Needs the operator's token.
   */
  listOperator(query: ListOperatorAuditQuery = {}, options?: RequestOptions): Pages<AuditRecord> {
    return new Pages(this.#call, "/admin/audit", query, options);
  }
}

/** Every resource of the API. */
export class Resources {
  readonly teams: TeamsApi;
  readonly shards: ShardsApi;
  readonly deadLetters: DeadLettersApi;
  readonly metrics: MetricsApi;
  readonly attention: AttentionApi;
  readonly checks: ChecksApi;
  readonly deployment: DeploymentApi;
  readonly gateways: GatewaysApi;
  readonly consoleLinks: ConsoleLinksApi;
  readonly audit: AuditApi;

  constructor(call: ApiCaller) {
    this.teams = new TeamsApi(call);
    this.shards = new ShardsApi(call);
    this.deadLetters = new DeadLettersApi(call);
    this.metrics = new MetricsApi(call);
    this.attention = new AttentionApi(call);
    this.checks = new ChecksApi(call);
    this.deployment = new DeploymentApi(call);
    this.gateways = new GatewaysApi(call);
    this.consoleLinks = new ConsoleLinksApi(call);
    this.audit = new AuditApi(call);
  }
}
