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
  /** The front, with `--front` alone. */
  readonly front?: { readonly url: string; readonly ca: string };
  /** The console behind the double of Cloudflare Access, with `--people` alone. */
  readonly people_url?: string;
}

export interface InboxMessage {
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

  /** Makes a team with a verified domain. Its request rate is high enough for tests. */
  async team(domain: string): Promise<StackClient> {
    const { admin_token: adminToken } = this.dev;
    const made = await this.api(
      "POST",
      "/admin/teams",
      { name: domain, limits: { requests_per_second: 1_000 } },
      { Authorization: `Bearer ${adminToken}` },
    );
    const { id, api_key } = (await made.json()) as { id: string; api_key: { key: string } };
    const team = new StackClient({ ...this.dev, team_id: id, api_key: api_key.key }, domain);
    const added = await team.api("POST", "/v1/domains", { name: domain });
    const { id: domainId, dns_records: records } = (await added.json()) as AddedDomain;
    for (const { type, name, value } of records)
      await this.publish({ type, name: `${name}.${domain}`, data: value });
    await team.api("POST", `/v1/domains/${domainId}/verify`);
    return team;
  }

  /** Publishes a record in the stack's DNS. */
  async publish(record: Readonly<Record<"type" | "name" | "data", string>>): Promise<void> {
    const body = JSON.stringify(record);
    const response = await fetch(`${this.dev.dns_url}/records`, { method: "PUT", body });
    if (!response.ok) throw new Error(`${body}: ${await response.text()}`);
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

  async send(to: string, subject: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.api(
      "POST",
      "/v1/email",
      { from: `hello@${this.domain}`, to: [to], subject, text: `${subject}.` },
      headers,
    );
  }

  /** Returns the event types of one message, oldest first. */
  async history(emailId: string): Promise<string[]> {
    const response = await this.api("GET", `/v1/events?limit=100&email_id=${emailId}`);
    const { data } = (await response.json()) as { data: { type: string }[] };
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
    const response = await fetch(`${this.dev.inbox_url}/api/rules`, {
      method: "PUT",
      body: JSON.stringify({ rules }),
    });
    if (!response.ok) throw new Error(await response.text());
  }
}

interface AddedDomain {
  readonly id: string;
  readonly dns_records: readonly { type: string; name: string; value: string }[];
}
