// The deployed worker as set-up and the doctor see it over HTTP: the operator API, domains that are
// verified when the DNS has their aliases, and messages to the simulator that are delivered at
// once. A test can set its faults. One subject: the worker that set-up sees.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { gatewayRows, type ReadGateway } from "../../src/resources/checks/gateway-rows.ts";
import { judgeChecks } from "../../src/resources/checks/judge-checks.ts";
import type { CheckRow } from "../../src/resources/checks/wire.ts";
import type { Samples } from "../../src/rpc/metrics-calls.ts";
import type { FrontRecord } from "../../tools/dev/front/front-outcome.ts";
import { listRecords } from "../../tools/dev/front/stack-zone.ts";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";

interface Team {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly key: string;
}

interface Domain {
  readonly id: string;
  readonly name: string;
  status: string;
  readonly dns_records: { type: string; name: string; value: string; purpose: string }[];
  verification_failure: { code: string; message: string } | null;
  tracking: { status: string; subdomain: string | null };
}

type Outcome = "queued" | "sent" | "delayed" | "delivered" | "bounced" | "suppressed";

/** The mail server's reply that the events of a message quote, for each outcome. */
const REPLIES: Partial<Record<Outcome, string>> = {
  delayed: "451 4.7.1 Try again later",
  delivered: "250 2.0.0 OK 1714820445 - gsmtp",
  bounced: "550 5.1.1 The email account does not exist",
};

type Handler = (
  body: Record<string, unknown>,
  id: string,
) => Promise<[status: number, body?: unknown]> | [status: number, body?: unknown];

/** The numbers of a deployment in good health. */
const SAMPLES: Samples = {
  'postern_source_up{source="counters"}': 1,
  'postern_source_up{source="database"}': 1,
  'postern_queue_oldest_seconds{queue="postern-deliver"}': 0,
  'postern_dead_letters{queue="postern-deliver"}': 0,
  'postern_tracking_hosts{state="broken"}': 0,
  postern_stuck_recipients: 0,
  postern_holds: 0,
  postern_open_recipients: 0,
  postern_oldest_undelivered_seconds: 0,
  postern_ledgers_full: 0,
  'postern_log_events{state="unwritten"}': 0,
  'postern_log_events{state="undelivered"}': 0,
  postern_webhook_lag_seconds: 0,
};

export class FakeDeployment {
  readonly calls: string[] = [];
  readonly teams: Team[] = [];
  readonly domains: Domain[] = [];
  readonly emails: { id: string; key: string; to: string }[] = [];
  adminToken: () => string = () => "";
  serviceDomain = "post.example.com";
  /** The local DNS server's URL, where aliases are looked up. */
  dnsUrl = "";
  health: [status: number, body: unknown] = [
    200,
    { status: "ok", checks: { database: true, queues: true } },
  ];
  samples: Record<string, number> = { ...SAMPLES };
  /** Milliseconds by which its clock is wrong, in Date headers and in the member `time`. */
  skewMs = 0;
  place: Readonly<Record<string, unknown>> = {};
  gateways: (ReadGateway["link"] & { readonly url: string; readonly date: string | null })[] = [];
  /** Each gateway's checks of itself; null: the gateway reports none. */
  watch: ReadGateway["watch"] = {
    checked_at: "2026-11-21T09:30:00.000Z",
    findings: [selfCheck("ptr", "ok")],
  };
  outbound: () => string = () => "gateway";
  /** The team's own courier. Null: the team uses the deployment's courier. */
  teamCourier: string | null = null;
  /** False: the deployment never delivers messages to the simulator's addresses. */
  delivers = true;
  /** The outcome of messages to other addresses. `sent`: they get no event. */
  becomes: Outcome = "delivered";
  /**
   * Changes to the healthy answer of `GET /v1/domains/{id}/dns`. A key is the purpose of a record,
   * or `policies.<name>`.
   */
  seen: Record<string, Record<string, unknown>> = {};
  /** False: mail to a reply address is refused before it reaches the deployment. */
  takesReplies = true;
  /** False: sends with `reply_tracking` are refused. */
  readsReplies = true;
  /** True: Browser Integrity Check is on for the host. */
  refusesPrograms = false;
  /** The answer to requests below /console: a status and the address of a redirect. */
  console: (path: string) => readonly [status: number, location?: string] = () => [404];
  /** A route whose next call takes effect, but whose answer never arrives. */
  loses: string | null = null;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async listen(): Promise<string> {
    return `http://127.0.0.1:${await listenOnLoopback(this.#server)}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  become({ teams, domains, emails }: FakeDeployment): void {
    this.teams.push(...structuredClone(teams));
    this.domains.push(...structuredClone(domains));
    this.emails.push(...structuredClone(emails));
  }

  addTeam(name: string, createdAt = new Date()): Team {
    const team = {
      id: `team_${randomUUID()}`,
      name,
      created_at: createdAt.toISOString(),
      key: `ps_${randomUUID().replaceAll("-", "")}`,
    };
    this.teams.push(team);
    return team;
  }

  addDomain(name: string, status = "pending"): Domain {
    const label = randomUUID().replaceAll("-", "").slice(0, 16);
    const relative = (host: string): string =>
      `${host}.${name}`.slice(0, -(name.split(".").slice(-2).join(".").length + 1));
    const alias = (host: string, target: string, purpose: string) => {
      const value = `${target}.${this.serviceDomain}`;
      return { type: "CNAME", name: relative(host), value, purpose };
    };
    const dns_records = [
      alias("bounces", `${label}.return-path`, "verification"),
      alias("ps1._domainkey", `ps1.${label}.dkim`, "dkim"),
      alias("ps2._domainkey", `ps2.${label}.dkim`, "dkim"),
    ];
    const domain = {
      id: `domain_${randomUUID()}`,
      name,
      status,
      dns_records,
      verification_failure: null,
      tracking: { status: "disabled", subdomain: null },
    };
    this.domains.push(domain);
    return domain;
  }

  get #courier(): string {
    return this.teamCourier ?? this.outbound();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const [, root = "", noun = "", id = "", verb = ""] = pathname.split("/");
    const written = await text(request);
    const body = written === "" ? {} : (JSON.parse(written) as Record<string, unknown>);
    const route = `${request.method} /${[root, noun, id && ":id", verb].filter(Boolean).join("/")}`;
    this.calls.push(route);
    response.setHeader("date", new Date(Date.now() + this.skewMs).toUTCString());
    const isProgram = request.headers["user-agent"]?.startsWith("Python") === true;
    if (this.refusesPrograms && isProgram) return send(response, 403, "error code: 1010");
    if (root === "console") {
      const [status, location] = this.console(pathname);
      if (location !== undefined) response.setHeader("location", location);
      return send(response, status, {});
    }
    const refused = this.#isRefused(root, request.headers.authorization);
    if (refused) return refuse(response, 401, "unauthenticated", "The key is unknown.");
    if (route === "GET /healthz") return send(response, ...this.health);
    const handler = this.#handlers(request)[route];
    if (!handler) return refuse(response, 404, "not_found", "There is nothing here.");
    const [status, answer] = await handler(body, id);
    if (route !== this.loses) return send(response, status, answer);
    this.loses = null;
    response.destroy();
  }

  #isRefused(root: string, authorization = ""): boolean {
    const token = authorization.replace("Bearer ", "");
    if (root === "admin") return token !== this.adminToken();
    return root === "v1" && !this.teams.some(({ key }) => key === token);
  }

  #handlers(request: IncomingMessage): Record<string, Handler> {
    const page = (data: readonly unknown[]): [number, unknown] => [
      200,
      { data, has_more: false, next_cursor: null },
    ];
    return {
      "GET /admin/teams": () =>
        page(this.teams.map(({ id, name, created_at }) => ({ id, name, created_at }))),
      "POST /admin/teams": ({ name }) => {
        const { key, ...team } = this.addTeam(String(name));
        return [201, { ...team, api_key: { id: "key_1", key } }];
      },
      "DELETE /admin/teams/:id": (_, id) => {
        const at = this.teams.findIndex((team) => team.id === id);
        if (at === -1) return [404, { error: { message: "There is no such team." } }];
        this.teams.splice(at, 1);
        return [204];
      },
      "GET /admin/deployment": () => [
        200,
        {
          service_domain: this.serviceDomain,
          public_url: "https://post.example.com",
          outbound: this.outbound(),
          gateways: this.gateways,
          ...this.place,
          time: new Date(Date.now() + this.skewMs).toISOString(),
        },
      ],
      "GET /admin/checks": () => [200, { checks: this.#checks() }],
      "GET /v1/whoami": () => [
        200,
        {
          team: { id: this.teams[0]?.id, name: this.teams[0]?.name },
          api_key: { id: "key_1", permissions: "full" },
          ...(this.#courier === "gateway" ? {} : { sending: { courier: this.#courier } }),
        },
      ],
      "GET /v1/domains": () => page(this.domains),
      "GET /v1/domains/:id/dns": (_, id) => this.#dns(id),
      "POST /v1/domains": ({ name }) => [201, this.addDomain(String(name))],
      "POST /v1/domains/:id/verify": (_, id) => this.#verify(id),
      "POST /v1/email": ({ to, reply_tracking: isTracked }) =>
        isTracked && !this.readsReplies
          ? [422, { error: { message: "Wrong.", errors: { reply_tracking: ["no one reads"] } } }]
          : this.#accept(String(request.headers["idempotency-key"]), String(to)),
      "GET /v1/replies": () => page(this.#replies()),
      "GET /v1/email/:id": (_, id) => this.#email(id),
    };
  }

  #checks(): CheckRow[] {
    const { samples, watch } = this;
    const hasGateways = this.gateways.length > 0;
    return [
      ...judgeChecks({ samples, marks: [], misspelt: [], hasGateways, now: Date.now() }),
      ...this.gateways.flatMap(({ url, ...link }) => gatewayRows({ url, link, watch })),
    ];
  }

  #dns(id: string): [number, unknown] {
    const domain = this.domains.find((one) => one.id === id);
    if (!domain) return [404, { error: { message: "There is no such domain." } }];
    const records = domain.dns_records.map(({ type, name, value, purpose }) => ({
      type,
      host: `${name}.${domain.name}`,
      expected: value,
      purpose,
      status: "ok",
      found: [value],
      message: `${name} is as it belongs.`,
      ...this.seen[purpose],
    }));
    const policies = ["spf", "dmarc", "mta_sts", "bimi"].map((name) => {
      const right = { status: "ok", host: domain.name, message: `${name} is as it belongs.` };
      return [name, { ...right, ...this.seen[`policies.${name}`] }];
    });
    return [200, { records, policies: Object.fromEntries(policies) }];
  }

  async #verify(id: string): Promise<[number, unknown]> {
    const domain = this.domains.find((one) => one.id === id);
    if (!domain) return [404, { error: { message: "There is no such domain." } }];
    const records = await listRecords(this.dnsUrl);
    const missing =
      domain.dns_records.find(
        ({ value }) => !records.some((record) => record.type === "CNAME" && record.data === value),
      ) ?? this.#missingOfCourier(domain.name, records);
    domain.status = missing ? "pending" : "verified";
    domain.verification_failure = missing
      ? { code: "record_missing", message: `${missing.name} has no ${missing.type} record.` }
      : null;
    return [200, domain];
  }

  #accept(key: string, to: string): [number, unknown] {
    const known = this.emails.find((email) => email.key === key);
    const email = known ?? { id: `email_${randomUUID()}`, key, to };
    if (!known) this.emails.push(email);
    return [202, { id: email.id, created_at: new Date().toISOString() }];
  }

  /** The simulator's answer, and the mail to the address that this answer shows. */
  #replies(): { readonly to: readonly string[] }[] {
    const address = `r+${"a".repeat(61)}@reply.${this.serviceDomain}`;
    const wrote = this.emails.map(({ to }) => to);
    const [simulated, own] = [
      wrote.some((to) => to.startsWith("replies@")),
      wrote.includes(address),
    ];
    return [simulated && this.delivers, own && this.takesReplies].flatMap((came) =>
      came ? [{ to: [address] }] : [],
    );
  }

  /** The courier `cloudflare` also needs the records that its own onboarding makes. */
  #missingOfCourier(domain: string, records: readonly FrontRecord[]) {
    if (this.outbound() !== "cloudflare") return undefined;
    const name = `cf-bounce.${domain}`;
    const own = records.filter((record) => record.name === name);
    const type = ["MX", "TXT"].find((one) => !own.some((record) => record.type === one));
    return type && { type, name };
  }

  #email(id: string): [number, unknown] {
    const email = this.emails.find((one) => one.id === id);
    if (!email) return [404, { error: { message: "There is no such email." } }];
    const isSimulated = email.to === `delivered@simulator.${this.serviceDomain}`;
    const isLost = email.to.startsWith("r+") && !this.takesReplies;
    const real = isLost ? "bounced" : this.becomes;
    const status = !isSimulated ? real : this.delivers ? "delivered" : "queued";
    const reply = isSimulated ? "2.0.0 simulated" : (REPLIES[status] ?? null);
    const types = status === "queued" ? [] : status === "sent" ? ["sent"] : ["sent", status];
    const events = types.map((type) => ({
      type: `email.${type}`,
      occurred_at: "2026-11-21T09:30:00.000Z",
      smtp_response: type === "sent" ? null : reply,
    }));
    return [200, { id, recipients: [{ recipient: email.to, status, events }] }];
  }
}

/** A gateway's check of itself. */
export function selfCheck(
  check: string,
  status: "ok" | "warning" | "critical" | "unknown",
  link: string | null = null,
) {
  const [message, advice] = [`The ${check} is ${status}.`, status === "ok" ? null : "Mend it"];
  return { check, status, subject: null, message, advice, link };
}

function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  send(response, status, { error: { type, message } });
}
function send(response: ServerResponse, status: number, body?: unknown): void {
  response
    .writeHead(status, body === undefined ? {} : { "content-type": "application/json" })
    .end(body === undefined ? undefined : JSON.stringify(body));
}
