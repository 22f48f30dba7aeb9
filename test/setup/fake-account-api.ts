// Cloudflare's API for the account of the fake wrangler: zones, queues, sending domains, event
// subscriptions and the quota, with the real API's envelope. It keeps its state in the account,
// publishes the records that onboarding makes, and can refuse a call or kill set-up.
import { createHash, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import { json } from "node:stream/consumers";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";
import { type Account, type FakeWrangler, LOGIN_TOKEN } from "./fake-wrangler.ts";

/** The fault concerns the first call that begins with `at`, such as `POST /zones`. */
export interface ApiFault {
  readonly at: string;
  readonly kind: "refuse" | "kill_before" | "kill_after";
  readonly status?: number;
  readonly code?: number;
  readonly says?: string;
  /** Number of calls that fail with this fault. Default: 1. */
  readonly times?: number;
}

/** Puts a record into DNS. */
type Publish = (name: string, type: string, data: unknown) => Promise<void>;

type Body = Record<string, unknown>;
type Answer = readonly [status: number, result: unknown];

class Refusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Returns the id of a queue, which depends only on its name. */
export function queueIdOf(name: string): string {
  return createHash("md5").update(name).digest("hex");
}

export class FakeAccountApi {
  /**
   * Calls of Cloudflare's API, such as `POST /zones/:id/email/sending/subdomains`. Queries of the
   * URLs are left out.
   */
  readonly calls: string[] = [];
  fault: ApiFault | null = null;
  readonly #wrangler: FakeWrangler;
  readonly #publish: Publish;
  readonly #server: Server;
  #struck = 0;

  constructor(wrangler: FakeWrangler, publish: Publish) {
    this.#wrangler = wrangler;
    this.#publish = publish;
    this.#server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
      const what = `${request.method} ${pathname}`;
      const read = async (): Promise<Body> =>
        request.method === "GET" ? {} : ((await json(request)) as Body);
      const right = request.headers.authorization === `Bearer ${LOGIN_TOKEN}`;
      void this.#answer(what, searchParams, read, right).then(([status, body]) =>
        response
          .writeHead(status, { "content-type": "application/json" })
          .end(JSON.stringify(body)),
      );
    });
  }

  async listen(): Promise<string> {
    return `http://127.0.0.1:${await listenOnLoopback(this.#server)}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #answer(
    what: string,
    query: URLSearchParams,
    read: () => Promise<Body>,
    isRight: boolean,
  ): Promise<Answer> {
    this.calls.push(what.replace(/\/[0-9a-f-]{32,36}(?=\/|$)|\/acc\d+/g, "/:id"));
    try {
      if (!isRight) throw new Refusal(400, 9109, "Invalid access token");
      const fault = this.#faultFor(what);
      if (fault?.kind === "refuse")
        throw new Refusal(fault.status ?? 403, fault.code ?? 2036, fault.says ?? "Unauthorized");
      if (fault?.kind === "kill_before") return this.#killed();
      const result = await this.#route(what, query, await read());
      if (fault?.kind === "kill_after") return this.#killed();
      return [200, { success: true, errors: [], messages: [], result }];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, code, message } = error;
      return [status, { success: false, errors: [{ code, message }], messages: [], result: null }];
    }
  }

  #faultFor(what: string): ApiFault | null {
    const { fault } = this;
    if (fault === null || !what.startsWith(fault.at)) return null;
    this.#struck += 1;
    if (this.#struck >= (fault.times ?? 1)) {
      this.fault = null;
      this.#struck = 0;
    }
    return fault;
  }

  /** Kills set-up during its call, so that the call never gets an answer. */
  #killed(): Promise<Answer> {
    this.#wrangler.killCaller();
    return new Promise(() => undefined);
  }

  async #route(what: string, query: URLSearchParams, body: Body): Promise<unknown> {
    const { account } = this.#wrangler;
    const [verb = "", path = ""] = what.split(" ");
    const [, , id = "", noun = "", kind = "", last = ""] = path.split("/");
    if (what === "GET /zones")
      return account.zones.filter(({ name }) => name === query.get("name"));
    if (path.startsWith("/zones/") && kind === "sending" && last === "subdomains")
      return verb === "POST"
        ? this.#enable(account, id, String(body["name"]))
        : account.sending.filter(({ zone_id }) => zone_id === id);
    if (noun === "queues")
      return account.queues
        .filter((name) => query.get("name") === null || name === query.get("name"))
        .map((name) => ({ queue_id: queueIdOf(name), queue_name: name }));
    if (noun === "event_subscriptions") return this.#subscriptions(account, verb, last, body);
    if (what.endsWith("/email/sending/limits")) return account.limits;
    throw new Refusal(404, 7003, `Could not route to ${path}`);
  }

  async #enable(account: Account, zoneId: string, name: string): Promise<unknown> {
    const zone = account.zones.find(({ id }) => id === zoneId);
    if (!zone || !`.${name}`.endsWith(`.${zone.name}`))
      throw new Refusal(400, 2007, `${name} is not within the zone`);
    const known = account.sending.find((domain) => domain.name === name);
    const domain = known ?? { name, zone_id: zoneId, enabled: true, tag: randomUUID() };
    domain.enabled = true;
    if (!known) account.sending.push(domain);
    for (const [record, type, data] of onboardingRecords(name))
      await this.#publish(record, type, data);
    return domain;
  }

  #subscriptions(account: Account, verb: string, id: string, body: Body): unknown {
    if (verb === "GET") return account.subscriptions;
    const asked = body as Partial<Account["subscriptions"][number]>;
    const { source } = asked;
    if (verb === "POST" && !account.sending.some(({ name }) => name === source?.domain))
      throw new Refusal(404, 10_009, `resource not found on source: ${source?.domain}`);
    const known = account.subscriptions.find((one) => one.id === id);
    if (verb === "PATCH" && !known) throw new Refusal(404, 10_009, "subscription not found");
    const changed = { ...known, id: known?.id ?? randomUUID(), ...asked };
    account.subscriptions = [
      ...account.subscriptions.filter((one) => one !== known),
      changed as Account["subscriptions"][number],
    ];
    return changed;
  }
}

/** Records that Cloudflare publishes for a sending domain. */
function onboardingRecords(
  domain: string,
): readonly (readonly [name: string, type: string, data: unknown])[] {
  const bounces = `cf-bounce.${domain}`;
  return [
    [bounces, "MX", ["1", "2", "3"].map((which) => `10 route${which}.mx.cloudflare.net`)],
    [bounces, "TXT", "v=spf1 include:_spf.mx.cloudflare.net ~all"],
    [`cf-bounce._domainkey.${domain}`, "TXT", "v=DKIM1; h=sha256; k=rsa; p=MIIBIjANBgkqhkiG9w0B"],
  ];
}
