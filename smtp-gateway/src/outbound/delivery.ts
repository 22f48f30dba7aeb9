// Delivers one message: finds the mail servers that may accept it, and tries them in order until
// one decides. A reply to MAIL or to a later command decides. If a server can't be reached or
// refuses the connection, the next server is tried.
import type { Route } from "../setting-readers.ts";
import type { Attempt } from "./attempt.ts";
import { dateNow, failure, type EgressOutcome } from "../outcome.ts";
import { destinationOf } from "../destinations/destination-name.ts";
import { type MtaSts, matchesPolicy } from "./mta-sts.ts";
import type { MxResolver } from "./mx.ts";
import { mailboxDomain } from "../smtp/smtp-transaction.ts";
import type { MailConnections } from "./mail-connections.ts";
import type { MailServer } from "./server-connection.ts";

type Targets = { readonly targets: readonly MailServer[] } | { readonly none: EgressOutcome };

export interface AttemptDependencies {
  readonly connections: MailConnections;
  /**
   * Finds the mail servers of a domain. `holder`: the priority and team for which the look-up
   * counts, because the number of parallel look-ups is limited for each.
   */
  readonly targets: (domain: string, holder?: string) => Promise<Targets>;
  /** Called when no mail server of the domain could be reached. */
  readonly unreachable: (domain: string) => void;
}

/** Runs an attempt until it has an outcome or is returned to the worker. Throws only for a bug. */
export async function deliver(using: AttemptDependencies, attempt: Attempt): Promise<void> {
  const { mailFrom, rcptTo, pool, team, priority } = attempt.mail;
  const end = (outcome: EgressOutcome): void => attempt.end(dateNow(outcome));
  if (!using.connections.knows(pool))
    return end(failure("other", "this gateway does not have the message's IP pool"));
  if (mailFrom !== "" && mailboxDomain(mailFrom) === null)
    return end(failure("other", "the return-path is not an address"));
  const domain = mailboxDomain(rcptTo);
  if (domain === null) return end(failure("no_mail_server", "the recipient is not an address"));
  const found = await using.targets(domain, `${priority} ${team}`);
  if ("none" in found) return end(found.none);
  if (!attempt.headFor(destinationOf(found.targets[0]!).name)) return;
  for (const target of found.targets) {
    const result = await using.connections.send(target, attempt);
    if (result === null) break;
    if (!result.elsewhere) return attempt.end(result.dated);
    attempt.wait(result.dated);
  }
  attempt.end();
  const fate = await attempt.fate;
  if ("outcome" in fate && fate.outcome.kind === "failure" && fate.outcome.cause === "connect")
    using.unreachable(domain);
}

/**
 * Returns the function that finds a domain's mail servers: by the operator's routes, or else by
 * DNS. An enforced MTA-STS policy may exclude servers.
 */
export function targetsBy(
  routes: readonly Route[],
  mx: MxResolver,
  sts: MtaSts | null,
  smtpPort: number,
): AttemptDependencies["targets"] {
  return async (domain, holder) => {
    const route =
      routes.find(({ pattern }) => pattern === domain) ??
      routes.find(({ pattern }) => pattern === "*");
    if (route) {
      const { host, port } = route;
      const server = { host, port, addresses: [host], tlsRequired: false, mayBeOurs: true };
      return { targets: [server] };
    }
    const [found, policy] = await Promise.all([
      mx.serversOf(domain, holder),
      sts?.enforcedBy(domain) ?? null,
    ]);
    if ("none" in found) return found;
    const { servers } = found;
    const permitted = servers.filter(({ host }) => policy === null || matchesPolicy(host, policy));
    if (permitted.length === 0) {
      const detail = "no mail server of the domain matches its MTA-STS policy";
      return { none: failure("tls", detail, servers[0]!.host) };
    }
    const demands = { port: smtpPort, tlsRequired: policy !== null, mayBeOurs: false };
    return { targets: permitted.map(({ host, addresses }) => ({ host, addresses, ...demands })) };
  };
}
