// Checks each host that accepts bounces: port 25 is open, its certificate is valid for the host's
// name, and the host accepts a bounce.
import { judge } from "./tls-certificate.ts";
import { critical, type CheckResults, ok, notKnown, warning } from "./check-result.ts";
import { addressesOf, type Dns } from "./dns-lookup.ts";
import { talk, tryPort } from "./smtp-probe.ts";
import type { Target } from "./doctor-target.ts";

export async function checkMailHosts(target: Target, dns: Dns): Promise<CheckResults> {
  const { mailHosts, outbound } = target;
  if (outbound === "cloudflare")
    return notKnown(
      "smtp",
      "not needed: the Email Service sends the mail and receives its bounces",
    );
  if (mailHosts.length === 0)
    return notKnown("smtp", "the host that takes bounces is unknown: give --mail-host");
  const talks = await Promise.all(mailHosts.map((host) => checkHost(target, dns, host)));
  return talks.flat();
}

async function checkHost(
  { smtpPort, egressUrls, serviceDomain, smtpCertificate }: Target,
  dns: Dns,
  host: string,
): Promise<CheckResults> {
  const [address] = await addressesOf(dns, host);
  if (address === undefined)
    return critical("smtp.port", `${host} has no address`, "publish its A and AAAA records");
  const mailbox =
    serviceDomain === undefined || egressUrls.length === 0 ? null : `fbl@feedback.${serviceDomain}`;
  const server = { host: address, port: smtpPort, servername: host };
  const said = await talk(server, mailbox, smtpCertificate);
  const where = `${host}:${smtpPort}`;
  if (said.kind === "failed") {
    const start = egressUrls.length === 0 ? "" : ", and start the gateway with RETURN_PATH=true";
    const mend =
      `open inbound port 25 of that host (firewall, provider)${start}; if this machine's own network ` +
      "blocks port 25, run the doctor elsewhere";
    return critical("smtp.port", `${where} (${address}) takes no mail: ${said.reason}`, mend);
  }
  const settings = "set SUBMISSION_CERTIFICATE and SUBMISSION_KEY";
  const tls = said.tls
    ? judge("smtp.tls", where, host, said.tls)
    : warning("smtp.tls", `${where} offers no STARTTLS`, settings);
  if (said.tls?.kind === "secure") said.tls.socket.destroy();
  return [
    ok("smtp.port", `${where} (${address}) greets as ${said.name}`),
    tls,
    checkBounces(where, said.mail, egressUrls),
    checkFeedback(where, mailbox, said.rcpt),
  ].flat();
}

function checkBounces(where: string, mail: string, egressUrls: readonly string[]): CheckResults {
  if (mail === "" || egressUrls.length === 0) return [];
  if (mail.startsWith("250")) return ok("smtp.bounces", `${where} takes bounces`);
  return critical(
    "smtp.bounces",
    `${where} takes no bounces: MAIL FROM:<> is answered ${mail}`,
    "start the gateway with RETURN_PATH=true",
  );
}

function checkFeedback(where: string, mailbox: string | null, rcpt: string): CheckResults {
  if (mailbox === null || rcpt === "") return [];
  if (rcpt.startsWith("250")) return ok("smtp.feedback", `${where} takes mail to ${mailbox}`);
  return warning(
    "smtp.feedback",
    `${where} takes no mail to ${mailbox}: RCPT is answered ${rcpt}`,
    "check that the gateway and the worker have the same version and the same token, and that " +
      "WORKER_URL leads to the worker",
  );
}

/** Checks whether the machine that runs the doctor can reach mail servers on port 25. */
export async function checkOutbound({ outboundMx, outbound }: Target): Promise<CheckResults> {
  if (outboundMx === undefined && outbound === "cloudflare") return [];
  if (outboundMx === undefined)
    return notKnown(
      "smtp.outbound",
      "not checked: run the doctor on the gateway's host with --outbound-mx <a mail server>",
    );
  const [, host = "", port = "25"] = /^(.+?)(?::(\d+))?$/.exec(outboundMx) ?? [];
  const reason = await tryPort(host, Number(port));
  if (reason === null) return ok("smtp.outbound", `${host}:${port} is reached from here`);
  return critical(
    "smtp.outbound",
    `${host}:${port} is not reached from here: ${reason}`,
    "many providers block outbound port 25: ask yours to open it, or use a courier that " +
      "needs no port 25 (OUTBOUND=cloudflare or smtp)",
  );
}
