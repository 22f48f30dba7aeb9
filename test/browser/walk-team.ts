// Makes a team with a verified domain for one test on the shared stack, so that its console shows
// no mail of other tests.
import { inject } from "vitest";
import type { InboxMessage } from "../stack/stack-client.ts";
import { callApi, type ConsolePlace } from "./console-window.ts";

interface MadeDomain {
  readonly id: string;
  readonly dns_records: readonly Readonly<Record<"type" | "name" | "value", string>>[];
}

interface EventPage {
  readonly data: readonly { readonly type: string; readonly recipient: string }[];
}

export class WalkTeam {
  /** The URL of the deployment, and the team's key to sign in to its console. */
  readonly place: ConsolePlace;
  readonly #domain: string;

  private constructor(place: ConsolePlace, domain: string) {
    this.place = place;
    this.#domain = domain;
  }

  static async make(name: string, domain: string): Promise<WalkTeam> {
    const { api_url, admin_token, dns_url } = inject("stack");
    const limits = { requests_per_second: 1_000, delivery_rate_per_minute: 60_000 };
    const operator = { api_url, api_key: admin_token };
    const made = (await callApi("POST", "/admin/teams", { name, limits }, operator)) as {
      api_key: { key: string };
    };
    const team = new WalkTeam({ api_url, admin_token, api_key: made.api_key.key }, domain);
    const { id, dns_records: records } = (await team.call("POST", "/v1/domains", {
      name: domain,
    })) as MadeDomain;
    for (const { type, name: label, value } of records)
      await put(`${dns_url}/records`, { name: `${label}.${domain}`, type, data: value });
    await team.call("POST", `/v1/domains/${id}/verify`);
    return team;
  }

  /** Calls the API with the team's key. */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    return callApi(method, path, body, this.place);
  }

  /** Sends a message, and returns its id. */
  async send(recipient: string | string[], subject: string): Promise<string> {
    const { id } = (await this.call("POST", "/v1/email", {
      from: `${this.#domain} <no-reply@${this.#domain}>`,
      to: [recipient].flat(),
      subject,
      text: "Your link is inside.",
    })) as { id: string };
    return id;
  }

  /** Returns the types of a message's events. */
  async history(emailId: string): Promise<string[]> {
    const page = (await this.call("GET", `/v1/events?email_id=${emailId}`)) as EventPage;
    return page.data.map(({ type }) => type);
  }

  /** Returns the recipients of the team's newest events of a type, up to 100. */
  async recipientsOf(type: string): Promise<string[]> {
    const path = `/v1/events?event_type=${type}&limit=100`;
    return ((await this.call("GET", path)) as EventPage).data.map(({ recipient }) => recipient);
  }

  /** Replaces the rules by which the stack's inbox refuses mail. */
  async rules(rules: readonly Record<string, unknown>[]): Promise<void> {
    await put(`${inject("stack").inbox_url}/api/rules`, { rules });
  }

  /** Returns the mail that the stack's inbox received for an address. */
  async inbox(to: string): Promise<readonly InboxMessage[]> {
    const path = `/api/messages?to=${encodeURIComponent(to)}`;
    return (await (await fetch(inject("stack").inbox_url + path)).json()) as InboxMessage[];
  }
}

async function put(url: string, body: unknown): Promise<void> {
  const response = await fetch(url, { method: "PUT", body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`PUT ${url}: ${response.status} ${await response.text()}`);
}
