// The harness of the pipeline's tests: a team with a domain. A test sends the team's mail and reads
// its events.
import PostalMime, { type Email } from "postal-mime";
import { expect } from "vitest";
import { bindings, makeTeam, ok, type Page, TestTeam } from "./api.ts";
import { makeSendingDomain } from "./domain.ts";
import { FakeEgress } from "./fakes/fake-egress.ts";
import type { TestSuppression } from "./suppressions.ts";
import { submit } from "./fakes/fake-gateway.ts";

export interface TestPulledEvent {
  readonly id: string;
  readonly type: string;
  readonly recipient: string;
  readonly occurred_at: string;
  readonly tracking: Record<string, unknown> | null;
  readonly [member: string]: unknown;
}

export const someone = () => `someone-${crypto.randomUUID().slice(0, 8)}@receiver.example`;

export class Harness extends TestTeam {
  readonly egress = new FakeEgress();
  readonly domain: string;

  private constructor({ id, keyId, key }: TestTeam, domain: string) {
    super(id, { id: keyId, key });
    this.domain = domain;
  }

  static make = async (limits: Readonly<Record<string, number>> = {}): Promise<Harness> => {
    const team = await makeTeam({
      limits: { requests_per_second: 1_000, delivery_rate_per_minute: 60_000, ...limits },
    });
    return new Harness(team, await makeSendingDomain(team.id));
  };

  /** Sends a message, which must be accepted, and returns its id. */
  async send(body: Record<string, unknown>): Promise<string> {
    return (await this.accepted(body)).id;
  }

  /** Sends a message, which must be accepted, and returns the answer. */
  async accepted(
    body: Record<string, unknown>,
  ): Promise<{ readonly id: string; readonly created_at: string }> {
    const message = { from: `The Shop <hello@${this.domain}>`, subject: "Hi", ...body };
    return ok(this.post("/v1/email", message), 202);
  }

  /** Submits a message by SMTP, which must be accepted, and returns its id. */
  async submit(to: readonly string[], message: string): Promise<string> {
    return (await ok<{ id: string }>(submit(this.key, to, message), 202)).id;
  }

  async events(filter: string): Promise<TestPulledEvent[]> {
    // An answer without an end lacks the events of this moment, at which a test may stop the clock.
    const end = new Date(Date.now() + 60_000).toISOString();
    const page = this.get(`/v1/events?limit=100&end=${end}&${filter}`);
    return (await ok<{ data: TestPulledEvent[] }>(page)).data;
  }

  /** Waits for `count` events of a message, and returns them oldest first. */
  async history(id: string, count: number): Promise<TestPulledEvent[]> {
    const found = () => this.events(`email_id=${id}`);
    await expect.poll(async () => (await found()).length).toBeGreaterThanOrEqual(count);
    return (await found()).toReversed();
  }

  /** Returns the suppressions of an address. */
  async suppressionsOf(email: string): Promise<TestSuppression[]> {
    const response = await this.get(`/v1/suppressions/${encodeURIComponent(email)}`);
    return response.status === 404 ? [] : (await response.json<Page<TestSuppression>>()).data;
  }

  /** Returns what the team's ledger counts at present. */
  async usage() {
    return bindings.TEAM_LEDGER.getByName(this.id).usage(Date.now());
  }

  /** Returns the copy that was mailed to the recipient, parsed as a mail program would parse it. */
  async copyTo(recipient: string): Promise<Email & { readonly raw: string }> {
    const [copy] = this.egress.to(recipient);
    if (!copy) throw new Error(`nothing was sent to ${recipient}`);
    return {
      ...(await PostalMime.parse(Uint8Array.from(copy.message, (octet) => octet.charCodeAt(0)))),
      raw: copy.message,
    };
  }
}

export const typesOf = (events: readonly TestPulledEvent[]): string[] =>
  events.map(({ type }) => type);

/** Returns the types of the events in one line, without what all types begin with. */
export const kindsOf = (events: readonly TestPulledEvent[]): string =>
  typesOf(events).join(" ").replaceAll("email.", "");

/** Returns the unfolded values of a copy's headers with that name. */
export function headersOf({ headers }: Email, name: string): string[] {
  return headers.filter(({ key }) => key === name.toLowerCase()).map(({ value }) => value);
}
