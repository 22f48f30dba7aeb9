// `npm start -- --account=<case>`: a Cloudflare account on this machine, in which `npm run setup`
// makes a running deployment (docs/local.md §An account). Wrangler's double passes its commands to
// this process. A deployment starts the worker with its variables and secrets.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ownPort } from "../../harness/loopback.ts";
import { wranglerDev } from "../children.ts";
import { type Ports, ROOT } from "../dev-settings.ts";
import { type PutRecord, startDns } from "../dns/dns-server.ts";
import { startEmailService } from "../email-service/sending-server.ts";
import { writeWorkerEntry } from "../email-service/worker-entry.ts";
import { eventsUrlOf } from "../email-service/wrapped-worker.ts";
import {
  type HttpRequest,
  jsonBody,
  jsonReply,
  type LocalReply,
  serveHttp,
} from "../http-server.ts";
import { startInbox } from "../inbox/inbox.ts";
import { workerState } from "../local-wrangler.ts";
import { applyMigrations } from "../migrate.ts";
import { at, HOST } from "../find-other-stack.ts";
import type { ChildSpec, SupervisedProcess } from "../processes/supervise.ts";
import { AccountApiDouble, queueIdOf } from "./account-api-double.ts";
import { ACCOUNT_ZONE, type AccountCase, accountOf } from "./account-cases.ts";
import { accessLogin, type Account, isRouted } from "./cloudflare-account.ts";
import { openFront } from "../front/front-server.ts";
import type { Edge } from "../front/front-outcome.ts";
import { admitsPrograms } from "../front/front-zone.ts";
import { listRecords } from "../front/stack-zone.ts";
import { openFrontDoor } from "./front-door.ts";
import { type AccountMachine, WranglerDouble } from "./wrangler-double.ts";

export interface AccountStackOptions {
  readonly ports: Ports;
  readonly state: string;
  readonly given: AccountCase;
  readonly retrySpeedup: number;
  /** Starts a process that ends together with this process. */
  readonly start: (spec: ChildSpec) => SupervisedProcess;
  readonly stop: AbortSignal;
}

const POLL_MS = 100;
const EVENT_PREFIX = "cf.email.sending.";
/** The reply of Cloudflare's mail servers to an address that no rule names. */
const NO_RULE = "550 5.1.1 Address does not exist.";
const SERVICE_DOMAIN = "post.example.com";
const ROUTES = [1, 2, 3].map((number) => `route${number}.mx.cloudflare.net`);

export class AccountStack {
  readonly #options: AccountStackOptions;
  readonly #token = randomBytes(24).toString("hex");
  readonly #wrangler: WranglerDouble;
  readonly #api: AccountApiDouble;
  #workerPort: number | null = null;
  #worker: SupervisedProcess | null = null;
  /** The file with the certificate of the front's authority. Null: there is no front. */
  #frontAuthority: string | null = null;

  private constructor(options: AccountStackOptions) {
    this.#options = options;
    const machine: AccountMachine = {
      migrate: (binding) => this.#migrate(binding),
      deploy: (account, config) => this.#deploy(account, config),
    };
    this.#wrangler = new WranglerDouble(accountOf(options.given), machine);
    this.#api = new AccountApiDouble(this.#wrangler, {
      onboard: (name) => this.#onboard(name),
      dns: (request, path) => this.#askDns(request, path),
    });
  }

  static async start(options: AccountStackOptions): Promise<AccountStack> {
    const stack = new AccountStack(options);
    const { ports, state, given } = options;
    await startDns(ports.DNS_PORT, join(state, "dns"), ACCOUNT_ZONE, recordsOf(given));
    const inboxPorts = { http: ports.INBOX_PORT, mx: ports.MX_PORT };
    await startInbox(inboxPorts, join(state, "inbox"), undefined, {
      handOn: (raw, { mail_from, rcpt_to }) => stack.#passMail(raw, mail_from, rcpt_to),
    });
    await startEmailService(ports.EMAIL_SERVICE_PORT ?? 0, {
      directory: join(state, "email-service"),
      token: stack.#token,
      eventsUrl: `${at(ports.ACCOUNT_PORT ?? 0)}/events`,
      dnsUrl: at(ports.DNS_PORT),
      route: { host: HOST, port: ports.MX_PORT, dns: null },
      retrySpeedup: options.retrySpeedup,
      platform: ["exact_names", "plain_errors"],
    });
    await serveHttp(ports.ACCOUNT_PORT ?? 0, (request) => stack.#answer(request));
    await openFrontDoor(ports.PORT, {
      workerPort: () => stack.#workerPort,
      admitsPrograms: () => stack.#admitsPrograms(),
      accessLogin: (path) => accessLogin(stack.#wrangler.account, path),
    });
    if (ports.FRONT_PORT !== undefined) {
      const { ca } = await openFront(ports.FRONT_PORT, {
        directory: join(state, "..", "front"),
        edge: () => stack.#edge(),
        workerPort: () => stack.#workerPort,
      });
      stack.#frontAuthority = ca;
    }
    await stack.#routeMail();
    writeFileSync(stack.environmentFile, stack.#environment());
    return stack;
  }

  /** The path of the shell file with the environment variables for set-up's commands. */
  get environmentFile(): string {
    return join(this.#options.state, "env.sh");
  }

  /** Returns the text that says how to set up the deployment. `name` is the name of the case. */
  words(name: string): string {
    const { ports, given } = this.#options;
    const frontLine =
      ports.FRONT_PORT === undefined
        ? ""
        : `\n  Front        ${at(ports.FRONT_PORT)}  (TLS, and a proxy; the file below sets HTTPS_PROXY)`;
    return `
An account is up: ${name} (${given.about}). Ctrl-C ends it, and its deployment.

  API          ${at(ports.PORT)}, as soon as a worker is deployed
  Inbox        ${at(ports.INBOX_PORT)}
  Account      ${at(ports.ACCOUNT_PORT ?? 0)}/account  (GET reads it, PUT changes it)${frontLine}

In another shell:

  . ${this.environmentFile}
  npm run setup -- --yes
  npm run doctor -- --send someone@example.net
`;
  }

  async #answer(request: HttpRequest): Promise<LocalReply | null> {
    const [first, second] = request.path;
    if (first === "client" && second === "v4") {
      const reply = await this.#api.answer(request, request.path.slice(2));
      if (request.method !== "GET") await this.#routeMail();
      return reply;
    }
    if (first === "events") return this.#takeEvents(request);
    if (first === "account") {
      if (request.method === "PUT") this.#wrangler.change(jsonBody(request));
      await this.#routeMail();
      return jsonReply(200, this.#wrangler.account);
    }
    return this.#api.command(request);
  }

  async #migrate(binding: string): Promise<void> {
    const { state, stop } = this.#options;
    await applyMigrations({ state, persistTo: workerState(state) }, stop, [binding]);
  }

  /** Starts the worker. Any answer suffices, because the worker's schema may be missing. */
  async #deploy({ deployments, secrets }: Account, config: string): Promise<void> {
    const { state, ports, start } = this.#options;
    await this.#worker?.stop();
    this.#workerPort = null;
    const port = await ownPort();
    const entry = writeWorkerEntry(join(state, "email-service", "worker"), {
      hasEmailService: true,
      frontUrl: ports.FRONT_PORT === undefined ? null : at(ports.FRONT_PORT),
      source: config,
    });
    const spec = wranglerDev(state, port, entry, {
      ...deployments.at(-1)?.variables,
      ...secrets,
      EMAIL_SERVICE_URL: at(ports.EMAIL_SERVICE_PORT ?? 0),
      EMAIL_SERVICE_TOKEN: this.#token,
    });
    const worker = start(spec);
    this.#worker = worker;
    for (const host of deployments.at(-1)?.domains ?? [])
      await this.#publish(host, "AAAA", "100::");
    const ended = worker.ended.then(() => true);
    while (!(await Promise.race([ended, answers(spec.healthUrl)]))) await wait(POLL_MS);
    if (this.#worker === worker) this.#workerPort = port;
  }

  /** Publishes a proxied record, as Cloudflare does for a custom domain. */
  async #publish(name: string, type: string, data: string): Promise<void> {
    const body = JSON.stringify({ name, type, data, proxied: true });
    await fetch(`${at(this.#options.ports.DNS_PORT)}/records`, { method: "PUT", body });
  }

  async #onboard(name: string): Promise<void> {
    const url = `${at(this.#options.ports.EMAIL_SERVICE_PORT ?? 0)}/domains`;
    await fetch(url, { method: "POST", body: JSON.stringify({ name }) });
  }

  async #askDns(request: HttpRequest, path: readonly string[]): Promise<LocalReply> {
    const query = request.query.size === 0 ? "" : `?${request.query.toString()}`;
    const url = `${at(this.#options.ports.DNS_PORT)}/client/v4/${path.join("/")}${query}`;
    const authorization = request.headers.authorization ?? "";
    const response = await fetch(url, {
      method: request.method,
      headers: { authorization },
      body: request.method === "GET" ? null : request.body,
    });
    return jsonReply(response.status, await response.json());
  }

  /** Passes events to the worker's queue if the account has a subscription for them. */
  async #takeEvents(request: HttpRequest): Promise<LocalReply> {
    const events = JSON.parse(request.body.toString()) as readonly {
      readonly type: string;
      readonly source: { readonly domain: string };
    }[];
    const { subscriptions, readers } = this.#wrangler.account;
    const own = new Set(Object.keys(readers).map(queueIdOf));
    const wanted = events.filter(({ type, source }) =>
      subscriptions.some(
        (one) =>
          one.enabled &&
          one.source.domain === source.domain &&
          own.has(one.destination.queue_id) &&
          one.events.some(
            (name) => type.replace(EVENT_PREFIX, "") === name.replace(EVENT_PREFIX, ""),
          ),
      ),
    );
    if (wanted.length === 0) return { status: 204 };
    if (this.#workerPort === null) return { status: 503 };
    const response = await fetch(eventsUrlOf(at(this.#workerPort)), {
      method: "POST",
      headers: { authorization: `Bearer ${this.#token}` },
      body: JSON.stringify(wanted),
    });
    return { status: response.ok ? 204 : 503 };
  }

  /** Makes the inbox refuse mail to the service's mailboxes without a rule of Email Routing. */
  async #routeMail(): Promise<void> {
    const { account } = this.#wrangler;
    const reply = `r+token@reply.${SERVICE_DOMAIN}`;
    const closed = [`postmaster@${SERVICE_DOMAIN}`, `fbl@feedback.${SERVICE_DOMAIN}`, reply].filter(
      (address) => !isRouted(account, address),
    );
    const rules = closed.map((address) => ({
      rcpt: `^${address.replaceAll(".", "\\.").replace("+token", "\\+.*")}$`,
      stage: "rcpt",
      reply: NO_RULE,
    }));
    await fetch(`${at(this.#options.ports.INBOX_PORT)}/api/rules`, {
      method: "PUT",
      body: JSON.stringify({ rules }),
    });
  }

  /**
   * Passes mail to the worker for each recipient with a rule. Returns the reply if the worker
   * rejects the mail.
   */
  async #passMail(raw: Buffer, from: string, to: readonly string[]): Promise<string | null> {
    const { account } = this.#wrangler;
    for (const address of to.filter((one) => isRouted(account, one))) {
      const query = new URLSearchParams({ from, to: address });
      const url = `${at(this.#workerPort ?? 0)}/cdn-cgi/local/email?${query.toString()}`;
      const response = await fetch(url, { method: "POST", body: new Uint8Array(raw) });
      if (!response.ok) return `550 5.7.1 ${(await response.text()).replace(/\s+/g, " ").trim()}`;
    }
    return null;
  }

  #admitsPrograms(): boolean {
    const { account } = this.#wrangler;
    // The first domain is the service's host. Browser Integrity Check exists only in a zone of the
    // account.
    const [host] = account.deployments.at(-1)?.domains ?? [];
    return host === undefined || admitsPrograms(account, host);
  }

  /** Returns the zone, the DNS and the worker as the front sees them. */
  async #edge(): Promise<Edge> {
    const records = await listRecords(at(this.#options.ports.DNS_PORT));
    const { account } = this.#wrangler;
    return {
      zone: account,
      name: ACCOUNT_ZONE.name,
      records,
      worker: Object.values(account.readers)[0] ?? "",
      domains: account.deployments.at(-1)?.domains ?? [],
    };
  }

  #environment(): string {
    const { ports, state, given } = this.#options;
    const api = `${at(ports.ACCOUNT_PORT ?? 0)}/client/v4`;
    const variables = {
      CLOUDFLARE_API_BASE_URL: api,
      DNS_API_URL: api,
      DNS_RESOLVER_URL: `${at(ports.DNS_PORT)}/dns-query`,
      DNS_API_TOKEN: ACCOUNT_ZONE.token,
      API_URL: at(ports.PORT),
      SERVICE_DOMAIN,
      POSTERN_STATE: state,
      POSTERN_WRANGLER: join(ROOT, "tools/dev/account/wrangler-program.ts"),
      ...given.answers,
      ...(this.#frontAuthority !== null && {
        // Through the front, programs reach the names of the local DNS. They trust the front's
        // certificates.
        HTTPS_PROXY: at(ports.FRONT_PORT ?? 0),
        NODE_USE_ENV_PROXY: "1",
        NODE_EXTRA_CA_CERTS: this.#frontAuthority,
        CURL_CA_BUNDLE: this.#frontAuthority,
      }),
    };
    const lines = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'\n`);
    return lines.join("");
  }
}

/** Returns the case's records, and the records of Cloudflare's mail servers. */
function recordsOf({ records = [] }: AccountCase): PutRecord[] {
  const sets = Map.groupBy(records, ({ name, type }) => `${type} ${name}`);
  const others = [...sets.values()].flatMap((set) =>
    set.slice(0, 1).map((first) => ({ ...first, data: set.map(({ data }) => data) })),
  );
  return [...others, ...ROUTES.map((name) => ({ name, type: "A" as const, data: HOST }))];
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(5_000) });
    return true;
  } catch {
    return false;
  }
}
