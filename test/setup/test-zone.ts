// The DNS of the tests of set-up and the doctor: the local DNS server with one zone, whose records
// and faults a test sets.
import { EVENT_TYPES } from "../../src/operator/subscribed-events.ts";
import { queueIdOf } from "../../tools/dev/account/account-api-double.ts";
import { ACCOUNT_ZONE } from "../../tools/dev/account/account-cases.ts";
import type { Account } from "../../tools/dev/account/cloudflare-account.ts";
import { EVENTS_QUEUE } from "../../tools/setup/event-subscriptions.ts";
import { type DnsServer, startDns } from "../../tools/dev/dns/dns-server.ts";
import { onboardDomain } from "../../tools/dev/email-service/onboarding.ts";
import type { FrontRecord } from "../../tools/dev/front/front-outcome.ts";
import { listRecords } from "../../tools/dev/front/stack-zone.ts";

export const ZONE = ACCOUNT_ZONE;

/** The subscription that set-up makes for the events of example.com. */
export const OWN_SUBSCRIPTION: Account["subscriptions"][number] = {
  id: "11111111-1111-4111-8111-111111111111",
  name: "postern example.com",
  enabled: true,
  events: [...EVENT_TYPES],
  source: { type: "email.sending", zone_id: ZONE.id, domain: "example.com" },
  destination: { type: "queues.queue", queue_id: queueIdOf(EVENTS_QUEUE) },
};

export class TestZone {
  readonly url: string;
  readonly #server: DnsServer;

  private constructor(server: DnsServer) {
    this.url = `http://127.0.0.1:${server.port}`;
    this.#server = server;
  }

  static async start(): Promise<TestZone> {
    return new TestZone(await startDns(0, null, ZONE));
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** Sets the records of a name and type. Null removes them. */
  readonly put = async (
    name: string,
    type: string,
    data: unknown,
    proxied = false,
  ): Promise<void> => {
    await this.#call(data === null ? "DELETE" : "PUT", "/records", { name, type, data, proxied });
  };

  /** Publishes the records that Cloudflare publishes for a sending domain. */
  readonly onboard = (domain: string): Promise<void> => onboardDomain(this.url, domain);

  async faults(faults: Record<string, unknown>): Promise<void> {
    await this.#call("PUT", "/faults", faults);
  }

  all(): Promise<readonly FrontRecord[]> {
    return listRecords(this.url);
  }

  /** Leaves only these records, and no fault. */
  async replaceAll(records: readonly FrontRecord[]): Promise<void> {
    for (const name of new Set((await this.all()).map((record) => record.name)))
      await this.#call("DELETE", "/records", { name });
    const sets = Map.groupBy(records, ({ name, type }) => `${name} ${type}`);
    for (const set of sets.values()) {
      const [{ name, type, proxied } = { name: "", type: "", proxied: false }] = set;
      const data = set.map((record) => record.data);
      await this.put(name, type, data, proxied);
    }
    await this.faults({});
  }

  async #call(method: string, path: string, body: unknown): Promise<void> {
    const response = await fetch(this.url + path, { method, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
  }
}
