// The harness of the pipeline's tests: a team with a domain. A test sends the team's mail and reads
// its events.
import { runDurableObjectAlarm } from "cloudflare:test";
import PostalMime, { type Email as ParsedEmail } from "postal-mime";
import { expect, vi } from "vitest";
import type { Email } from "../../src/mail/lookup/wire.ts";
import { bindings, makeTeam, ok, type Page, TestTeam, TIME } from "./api.ts";
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

interface Accepted {
  readonly id: string;
  readonly created_at: string;
}

export const someone = () => `someone-${crypto.randomUUID().slice(0, 8)}@receiver.example`;

export class Harness extends TestTeam {
  readonly domain: string;
  readonly egress: FakeEgress;

  constructor({ id, keyId, key }: TestTeam, domain: string, egress = new FakeEgress()) {
    super(id, { id: keyId, key });
    this.domain = domain;
    this.egress = egress;
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
  async accepted(body: Record<string, unknown>): Promise<Accepted> {
    const message = { from: `The Shop <hello@${this.domain}>`, subject: "Hi", ...body };
    return ok(this.post("/v1/email", message), 202);
  }

  /** Writes a message with these header fields, as a program submits it. */
  written(fields: readonly string[] = [], body = "Hello.\r\n"): string {
    return [`From: Sender <hello@${this.domain}>`, "Subject: Hi", ...fields, "", body].join("\r\n");
  }

  /** Submits a message by SMTP, which must be accepted, and returns its id. */
  async submit(
    to: readonly string[],
    message: string,
    options?: Parameters<typeof submit>[3],
  ): Promise<string> {
    const { id, created_at: at } = await ok<Accepted>(submit(this.key, to, message, options), 202);
    expect(id).toMatch(/^email_[0-9a-f-]{36}$/);
    expect(at).toMatch(TIME);
    return id;
  }

  /** Looks up a message. */
  async lookUp(id: string): Promise<Email> {
    return ok(this.get(`/v1/email/${id}`));
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

  /** Returns all events of a message, oldest first, wherever a test has moved the clock. */
  async allEvents(id: string): Promise<TestPulledEvent[]> {
    return (await this.events(`email_id=${id}&start=2000-01-01T00:00:00Z`)).toReversed();
  }

  get ledger() {
    return bindings.TEAM_LEDGER.getByName(this.id);
  }

  /** Returns what the team's ledger counts at present. */
  async usage() {
    return this.ledger.usage(Date.now());
  }

  /** Waits until no job of the team is open, so that no further event can come. */
  settled = () => expect.poll(async () => (await this.usage()).jobs).toBe(0);

  /** Sets the clock and runs the ledger's alarm. */
  async reach(time: number): Promise<void> {
    vi.setSystemTime(time);
    await runDurableObjectAlarm(this.ledger);
  }

  /** Moves the clock by `ms` and runs the ledger's alarm. */
  async pass(ms: number): Promise<void> {
    await this.reach(Date.now() + ms);
  }

  /** Returns the copy that was mailed to the recipient, parsed as a mail program would parse it. */
  async copyTo(recipient: string): Promise<ParsedEmail & { readonly raw: string }> {
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
export function headersOf({ headers }: ParsedEmail, name: string): string[] {
  return headers.filter(({ key }) => key === name.toLowerCase()).map(({ value }) => value);
}
