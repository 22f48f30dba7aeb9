// Delivers to mail servers without a gateway, and answers DNS questions, for tests.
import { Attempt } from "../../../smtp-gateway/src/outbound/attempt.ts";
import type { GatewaySettings } from "../../../smtp-gateway/src/config.ts";
import { deliver } from "../../../smtp-gateway/src/outbound/delivery.ts";
import { MailConnections } from "../../../smtp-gateway/src/outbound/mail-connections.ts";
import type { DnsResolver } from "../../../smtp-gateway/src/outbound/mx.ts";
import type { MailServer } from "../../../smtp-gateway/src/outbound/server-connection.ts";
import type { EgressOutcome, Mail } from "../../../smtp-gateway/src/outcome.ts";
import { cleanups, settings } from "../gateway-harness.ts";

/**
 * Records by question, such as `MX example.test`, or the code of an error. Any other question gets
 * ENODATA.
 */
export type ZoneRecords = Readonly<Record<string, readonly unknown[] | string>>;

export function zoneDns(zone: ZoneRecords): DnsResolver & { readonly asked: string[] } {
  const asked: string[] = [];
  const answer = async (type: string, name: string): Promise<never> => {
    asked.push(`${type} ${name}`);
    const found = zone[`${type} ${name}`] ?? "ENODATA";
    if (typeof found === "string") throw Object.assign(new Error(found), { code: found });
    return found as never;
  };
  return {
    asked,
    resolveMx: (name) => answer("MX", name),
    resolve4: (name) => answer("A", name),
    resolve6: (name) => answer("AAAA", name),
    resolveTxt: (name) => answer("TXT", name),
  };
}

/** Returns a mail server as the resolver finds it. */
export function mailServerAt(port: number, changes: Partial<MailServer> = {}): MailServer {
  const server = { host: "mx.test", port, addresses: ["127.0.0.1"] };
  return { ...server, tlsRequired: false, mayBeOurs: false, ...changes };
}

const MAIL: Mail = {
  key: "k",
  mailFrom: "a@example.test",
  rcptTo: "b@example.net",
  pool: null,
  team: "team",
  priority: "normal",
  waitedMs: 0,
  bytes: Buffer.from("Subject: hello\r\n\r\nhello\r\n"),
  isConverted: true,
};

/** A journal that always has room and remembers nothing. */
const FORGETFUL = { reserve: () => ({ record: () => true, release: () => {} }) };

/**
 * Delivers the message MAIL through the first of the servers that accepts it. Returns the outcome.
 */
export async function deliverTo(
  connections: MailConnections,
  targets: readonly MailServer[],
): Promise<EgressOutcome> {
  const attempt = new Attempt(MAIL, FORGETFUL);
  const around = { connections, targets: async () => ({ targets }), unreachable: () => {} };
  await deliver(around, attempt);
  const fate = await attempt.fate;
  if ("kind" in fate) throw new Error(`not taken: ${fate.why}`);
  return fate.outcome;
}

/** Opens connections to mail servers. They close after the test. */
export function openConnections(overrides: Partial<GatewaySettings> = {}): MailConnections {
  const connections = new MailConnections(settings(0, overrides));
  cleanups.push(() => {
    connections.close();
    return connections.closed();
  });
  return connections;
}
