// Gives tests access to a running local stack: to the API with a team's key, to the inbox, and to
// DNS.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Dev {
  readonly api_url: string;
  readonly api_key: string;
  readonly team_id: string;
  readonly admin_token: string;
  readonly smtp: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly ca: string;
  };
  readonly inbox_url: string;
  readonly dns_url: string;
  readonly egress_url: string;
  /** The URL of the Email Service's double. Undefined with any other courier than `cloudflare`. */
  readonly email_service_url?: string;
  /** The front. Undefined without `--front`. */
  readonly front?: { readonly url: string; readonly ca: string };
  /** The console behind the double of Cloudflare Access. Undefined without `--people`. */
  readonly people_url?: string;
}

interface InboxMessage {
  readonly id: string;
  readonly mail_from: string;
  readonly rcpt_to: string[];
  readonly subject: string;
}

export function readDev(state: string): Dev | undefined {
  try {
    return JSON.parse(readFileSync(join(state, "dev.json"), "utf8")) as Dev;
  } catch {
    return undefined;
  }
}

export class StackClient {
  protected known: Dev | undefined;
  /** The domain from which the team can send. */
  readonly domain: string;

  constructor(known?: Dev, domain = "example.test") {
    this.known = known;
    this.domain = domain;
  }

  get dev(): Dev {
    if (!this.known) throw new Error("the stack is not up");
    return this.known;
  }

  /** The same stack, called as the operator. */
  get operator(): StackClient {
    return new StackClient({ ...this.dev, api_key: this.dev.admin_token });
  }

  /** Makes a team with a verified domain. Its rates are high enough for tests. */
  async team(domain: string, name = domain): Promise<StackClient> {
    const limits = { requests_per_second: 1_000, delivery_rate_per_minute: 60_000 };
    const made = await this.operator.ask<MadeTeam>("POST", "/admin/teams", { name, limits });
    const dev = { ...this.dev, team_id: made.id, api_key: made.api_key.key };
    const team = new StackClient(dev, domain);
    const added = await team.ask<AddedDomain>("POST", "/v1/domains", { name: domain });
    for (const { type, name: label, value } of added.dns_records)
      await this.publish({ type, name: `${label}.${domain}`, data: value });
    await team.ask("POST", `/v1/domains/${added.id}/verify`);
    return team;
  }

  /** Publishes a record in the stack's DNS. */
  async publish(
    record: Readonly<Record<"type" | "name", string> & { data: unknown }>,
  ): Promise<void> {
    await this.put(`${this.dev.dns_url}/records`, record);
  }

  /** Calls a control of one of the stack's doubles. */
  async put(url: string, body: unknown): Promise<void> {
    const response = await fetch(url, { method: "PUT", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`PUT ${url}: ${response.status} ${await response.text()}`);
  }

  async api(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(this.dev.api_url + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.dev.api_key}`,
        // Every request uses a new connection, because the stack may close an idle one while this
        // process is paused.
        Connection: "close",
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Calls the API, which must not refuse, and returns the body of its answer. */
  async ask<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await this.api(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === "" ? null : JSON.parse(text)) as Body;
  }

  async send(
    to: string | string[],
    subject: string,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return this.api(
      "POST",
      "/v1/email",
      { from: `hello@${this.domain}`, to: [to].flat(), subject, text: `${subject}.` },
      headers,
    );
  }

  /** Sends a message, which must be accepted, and returns its id. */
  async sent(to: string | string[], subject: string): Promise<string> {
    const response = await this.send(to, subject);
    if (response.status !== 202) throw new Error(await response.text());
    return ((await response.json()) as { id: string }).id;
  }

  /** Returns the event types of one message, oldest first. */
  async history(emailId: string): Promise<string[]> {
    const path = `/v1/events?limit=100&email_id=${emailId}`;
    const { data } = await this.ask<{ data: { type: string }[] }>("GET", path);
    return data.map(({ type }) => type).toReversed();
  }

  async inbox(query = ""): Promise<InboxMessage[]> {
    const response = await fetch(`${this.dev.inbox_url}/api/messages?limit=10000${query}`);
    return (await response.json()) as InboxMessage[];
  }

  async raw(id: string): Promise<Buffer> {
    return Buffer.from(
      await (await fetch(`${this.dev.inbox_url}/api/messages/${id}/raw`)).arrayBuffer(),
    );
  }

  async rules(rules: readonly Record<string, unknown>[]): Promise<void> {
    await this.put(`${this.dev.inbox_url}/api/rules`, { rules });
  }
}

interface MadeTeam {
  readonly id: string;
  readonly api_key: { readonly key: string };
}

interface AddedDomain {
  readonly id: string;
  readonly dns_records: readonly { type: string; name: string; value: string }[];
}
