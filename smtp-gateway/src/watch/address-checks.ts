// Checks what large receivers ask of an address before they take its mail: reverse DNS that leads
// back to it (RFC 8601 §3), the name that EHLO gives (RFC 5321 §4.1.4), and the service's SPF
// (RFC 7208).
import { isIP } from "node:net";
import { reverseName } from "./reverse-name.ts";
import { evaluateSpf, type SpfResult } from "./spf.ts";
import { addressesOf, type WatchDns, NoDnsAnswer } from "./watch-dns.ts";
import { finding, type WatchCheck, type WatchFinding } from "./watch-finding.ts";

/** An address with more names than a receiver looks at needs no more here (RFC 7208 §5.5). */
const NAMES_MAX = 10;
const ASK_PROVIDER =
  "ask the provider of the address to set its reverse DNS to the gateway's name (GATEWAY_HOSTNAME)";
const RESOLVER = "check the resolvers (EGRESS_DNS) and the name servers of the zone";

/** Returns the finding, or `unknown` where DNS gives no answer. */
export async function unlessSilent(
  check: WatchCheck,
  subject: string | null,
  look: () => Promise<WatchFinding>,
  advice = RESOLVER,
): Promise<WatchFinding> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof NoDnsAnswer)) throw error;
    return finding(check, "unknown", subject, error.message, advice);
  }
}

/** Returns the names of the address, and those of them that lead back to it. */
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

export async function checkPtr(dns: WatchDns, address: string): Promise<WatchFinding> {
  const { pointers, confirmed } = await namesOf(dns, address);
  const failed = (message: string, advice: string): WatchFinding =>
    finding("ptr", "failed", address, message, advice);
  if (pointers.length === 0)
    return failed(`${address} has no reverse DNS: large receivers refuse its mail`, ASK_PROVIDER);
  if (confirmed.length === 0)
    return failed(
      `${address} is called ${pointers.join(", ")}, which does not lead back to it`,
      `${ASK_PROVIDER}, and that name's A or AAAA record to the address`,
    );
  return finding("ptr", "ok", address, `${address} is ${confirmed.join(", ")}, and back`);
}

export async function checkHelo(
  dns: WatchDns,
  address: string,
  name: string,
): Promise<WatchFinding> {
  const helo = name.toLowerCase();
  const found = (
    status: "ok" | "warning" | "failed",
    message: string,
    advice: string | null = null,
  ) => finding("helo", status, address, message, advice);
  if (isIP(helo) !== 0)
    return found(
      "failed",
      `EHLO gives the address ${helo} and no name: many receivers refuse that`,
      "set GATEWAY_HOSTNAME to the name of the address",
    );
  const [own, { confirmed }] = await Promise.all([addressesOf(dns, helo), namesOf(dns, address)]);
  if (own.length === 0)
    return found(
      "failed",
      `EHLO says ${helo}, which has no address: many receivers refuse that`,
      `publish an A or AAAA record of ${helo}, or set GATEWAY_HOSTNAME to a name that has one`,
    );
  if (!own.includes(address))
    return found(
      "warning",
      `EHLO says ${helo}, which leads to ${own.join(", ")} and not to ${address}`,
      `publish ${address} among the addresses of ${helo}`,
    );
  if (confirmed.length > 0 && !confirmed.includes(helo))
    return found(
      "warning",
      `${address} is called ${confirmed.join(", ")}, and EHLO says ${helo}`,
      "set GATEWAY_HOSTNAME to the name of the address, or the other way round",
    );
  return found("ok", `EHLO says ${helo}, which leads to ${address}`);
}

/** The label is not in use, so that only the wildcard for return-paths answers (docs/dns.md). */
export async function checkSpf(
  dns: WatchDns,
  address: string,
  serviceDomain: string,
): Promise<WatchFinding> {
  const wildcard = `*.return-path.${serviceDomain}`;
  const result = await evaluateSpf(dns, `gateway-watch.return-path.${serviceDomain}`, address);
  if (result === "pass")
    return finding("spf", "ok", address, `the SPF record of ${wildcard} lets ${address} send`);
  if (result === "unknown")
    return finding(
      "spf",
      "unknown",
      address,
      `the SPF record of ${wildcard} has macros, \`exists\` or \`ptr\`, on which it depends`,
      "name every address that mail leaves from (ip4:, ip6:, a:)",
    );
  return finding("spf", "failed", address, spfProblem(result, wildcard, address), SPF_ADVICE);
}

const SPF_ADVICE =
  "publish one record there that names every address that mail leaves from (ip4:, ip6:, a:)";

function spfProblem(result: SpfResult, wildcard: string, address: string): string {
  if (result === "none") return `${wildcard} has no SPF record`;
  if (result === "permerror")
    return `the SPF record of ${wildcard} can't be used: there are two, or it is malformed`;
  return `the SPF record of ${wildcard} does not let ${address} send (${result})`;
}
