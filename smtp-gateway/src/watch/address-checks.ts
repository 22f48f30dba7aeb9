// Checks what large receivers require of an IP address before they accept mail from it: reverse DNS
// that leads back to the address (RFC 8601 §3), the name in EHLO (RFC 5321 §4.1.4), and the
// service's SPF record (RFC 7208).
import { isIP } from "node:net";
import { reverseName } from "./reverse-name.ts";
import { evaluateSpf, type SpfResult } from "./spf.ts";
import { addressesOf, type WatchDns, NoDnsAnswer } from "./watch-dns.ts";
import { selfCheck, type WatchCheck, type WatchStatus, type SelfCheck } from "./self-check.ts";

/**
 * Maximum number of reverse DNS names that are checked. Receivers also check at most ten (RFC 7208
 * §5.5).
 */
const NAMES_MAX = 10;
const ASK_PROVIDER =
  "ask the provider of the address to set its reverse DNS to the gateway's name (GATEWAY_HOSTNAME)";
const RESOLVER = "check the resolvers (EGRESS_DNS) and the name servers of the zone";

/** Runs a check. If DNS does not answer, returns a result with the status `unknown`. */
export async function unlessSilent(
  check: WatchCheck,
  subject: string | null,
  look: () => Promise<SelfCheck>,
  advice = RESOLVER,
): Promise<SelfCheck> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof NoDnsAnswer)) throw error;
    return selfCheck(check, "unknown", subject, error.message, advice);
  }
}

/** Returns all reverse DNS names of the IP address, and separately those that lead back to it. */
async function namesOf(
  dns: WatchDns,
  address: string,
): Promise<{ readonly pointers: readonly string[]; readonly confirmed: readonly string[] }> {
  const pointers = (await dns(reverseName(address), "PTR")).slice(0, NAMES_MAX);
  const leadsBack = await Promise.all(
    pointers.map(async (name) => (await addressesOf(dns, name)).includes(address)),
  );
  return { pointers, confirmed: pointers.filter((_, at) => leadsBack[at]) };
}

export async function checkPtr(dns: WatchDns, address: string): Promise<SelfCheck> {
  const { pointers, confirmed } = await namesOf(dns, address);
  const found = (status: WatchStatus, message: string, advice: string | null = null) =>
    selfCheck("ptr", status, address, message, advice);
  const reverse = `the reverse DNS of ${address} is`;
  if (pointers.length === 0) {
    const message = `${address} has no reverse DNS: large receivers refuse its mail`;
    return found("critical", message, ASK_PROVIDER);
  }
  if (confirmed.length === 0)
    return found(
      "critical",
      `${reverse} ${pointers.join(", ")}, which does not lead back to the address`,
      `${ASK_PROVIDER}, and publish ${address} as an address of this name`,
    );
  return found("ok", `${reverse} ${confirmed.join(", ")}, which leads back to the address`);
}

export async function checkHelo(dns: WatchDns, address: string, name: string): Promise<SelfCheck> {
  const helo = name.toLowerCase();
  const found = (status: WatchStatus, message: string, advice: string | null = null) =>
    selfCheck("helo", status, address, message, advice);
  if (isIP(helo) !== 0)
    return found(
      "critical",
      `EHLO gives the IP address ${helo} instead of a host name: many receivers refuse this`,
      "set GATEWAY_HOSTNAME to the reverse DNS name of the address",
    );
  const [own, { confirmed }] = await Promise.all([addressesOf(dns, helo), namesOf(dns, address)]);
  if (own.length === 0)
    return found(
      "critical",
      `EHLO gives the name ${helo}, which has no address: many receivers refuse this`,
      `publish an A or AAAA record of ${helo}, or set GATEWAY_HOSTNAME to a name that has one`,
    );
  if (!own.includes(address))
    return found(
      "warning",
      `EHLO gives the name ${helo}, which leads to ${own.join(", ")} and not to ${address}`,
      `publish ${address} as an address of ${helo}`,
    );
  if (confirmed.length > 0 && !confirmed.includes(helo))
    return found(
      "warning",
      `the reverse DNS of ${address} is ${confirmed.join(", ")}, but EHLO gives the name ${helo}`,
      "set GATEWAY_HOSTNAME to the reverse DNS name of the address, or change the reverse DNS",
    );
  return found("ok", `EHLO gives the name ${helo}, which leads to ${address}`);
}

/**
 * Checks the wildcard SPF record for return-paths (docs/dns.md). The look-up uses a name that only
 * the wildcard record matches.
 */
export async function checkSpf(
  dns: WatchDns,
  address: string,
  serviceDomain: string,
): Promise<SelfCheck> {
  const wildcard = `*.return-path.${serviceDomain}`;
  const result = await evaluateSpf(dns, `gateway-watch.return-path.${serviceDomain}`, address);
  const found = (status: WatchStatus, message: string, advice: string | null = null) =>
    selfCheck("spf", status, address, message, advice);
  if (result === "pass") return found("ok", `the SPF record of ${wildcard} lets ${address} send`);
  if (result === "unknown")
    return found(
      "unknown",
      `the result depends on macros, \`exists\` or \`ptr\` in the SPF record of ${wildcard}`,
      "name in this record every address that mail leaves from (ip4:, ip6:, a:)",
    );
  return found("critical", spfProblem(result, wildcard, address), SPF_ADVICE);
}

const SPF_ADVICE =
  "publish one SPF record that names every address that mail leaves from (ip4:, ip6:, a:)";

function spfProblem(result: SpfResult, wildcard: string, address: string): string {
  if (result === "none") return `${wildcard} has no SPF record`;
  if (result === "permerror")
    return (
      `the SPF record of ${wildcard} can't be used: there are two records, or the record is ` +
      "malformed"
    );
  return `the SPF record of ${wildcard} does not let ${address} send (${result})`;
}
