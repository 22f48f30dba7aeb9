// Fakes the Cloudflare account whose zones have sending domains: zones, queues, sending domains and
// event subscriptions, with the real API's envelope.
import type { Outside } from "./outside.ts";

export const EMAIL_API_TOKEN = "email-token-for-tests";

const ACCOUNT = { id: "acc1" };
const QUEUE = { queue_id: "queue1", queue_name: "postern-email-events" };

interface Subscription {
  readonly id: string;
  readonly source: { readonly domain: string };
  readonly destination: { readonly queue_id: string };
}

export class SendingAccount {
  /** True: every name of two labels is a zone of the account. */
  hasZones = true;
  sending: { name: string; tag: string; enabled: boolean }[] = [];
  subscriptions: Subscription[] = [];
  readonly calls: string[] = [];
  /** If this function returns a response, the response replaces the account's answer. */
  fault: (call: string) => Response | undefined | Promise<Response | undefined> = () => undefined;

  /** Makes an account that answers the API calls of `outside` with the account's token. */
  static at(outside: Outside): SendingAccount {
    const account = new SendingAccount();
    outside.onApi = (request) =>
      request.headers.get("Authorization") === `Bearer ${EMAIL_API_TOKEN}`
        ? account.#answer(request)
        : undefined;
    return account;
  }

  /** Calls that change something. */
  get changes(): readonly string[] {
    return this.calls.filter((call) => !call.startsWith("GET"));
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.replace("/client/v4", "");
    const call = `${request.method} ${path}`;
    this.calls.push(call);
    const fault = await this.fault(call);
    if (fault) return fault;
    if (call === "GET /zones") {
      const name = searchParams.get("name");
      return ok(this.hasZones ? [{ id: `zone-${name}`, name, account: ACCOUNT }] : []);
    }
    if (call === `GET /accounts/${ACCOUNT.id}/queues`) return ok([QUEUE]);
    const id = path.split("/").at(-1);
    if (path.includes("/email/sending/subdomains")) {
      if (request.method === "GET") return ok(this.sending);
      if (request.method === "DELETE") return this.#remove("sending", ({ tag }) => tag === id);
      const { name } = await request.json<{ name: string }>();
      const domain = { name, tag: `tag-${name}`, enabled: true };
      this.sending.push(domain);
      return ok(domain);
    }
    if (request.method === "GET") return ok(this.subscriptions);
    if (request.method === "DELETE") return this.#remove("subscriptions", (one) => one.id === id);
    const body = await request.json<Omit<Subscription, "id">>();
    if (!this.sending.some(({ name }) => name === body.source.domain)) return refusal(404, 10_009);
    this.subscriptions.push({ id: `sub-${body.source.domain}`, ...body });
    return ok({});
  }

  #remove<Kind extends "sending" | "subscriptions">(
    kind: Kind,
    isMeant: (one: this[Kind][number]) => boolean,
  ): Response {
    const before: readonly this[Kind][number][] = this[kind];
    const left = before.filter((one) => !isMeant(one));
    Object.assign(this, { [kind]: left });
    return left.length < before.length ? ok({}) : refusal(404, 10_009);
  }
}

export function refusal(status: number, code: number, message = "no"): Response {
  return Response.json({ success: false, errors: [{ code, message }], result: null }, { status });
}

function ok(result: unknown): Response {
  return Response.json({ success: true, errors: [], result });
}
