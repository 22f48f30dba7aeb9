// Checks a sending domain as a receiver of its mail would: the aliases exist, the DKIM key is
// published, SPF passes, and the DMARC policy is one that both RFCs can use.
import { getDomain } from "tldts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import { sourcesOf } from "./check-service-dns.ts";
import { type Dns, valuesOf } from "./dns-lookup.ts";
import { evaluateSpf } from "./spf.ts";
import type { Target } from "./doctor-target.ts";
import { lookUpDmarc } from "../../../src/resources/domains/policies/dmarc-lookups.ts";
import { judgeDmarc } from "../../../src/resources/domains/policies/dmarc-policy.ts";

const SELECTORS = ["ps1", "ps2"];
/** The worker follows the same number of aliases when it verifies a domain. */
const MOST_HOPS = 8;

/** `status` is the worker's view of the domain. Null means that the worker was not asked. */
export async function checkDomain(
  target: Target,
  dns: Dns,
  name: string,
  status: string | null,
): Promise<Finding[]> {
  const about = (check: string): string => `domain.${check}`;
  const pending =
    status === null || status === "verified"
      ? []
      : [
          warn(
            about("status"),
            `${name} is not verified: no mail is sent from it`,
            `publish its records (GET /v1/domains), then POST /v1/domains/{id}/verify`,
          ),
        ];
  const [spf, dkim, dmarc] = await Promise.all([
    checkReturnPath(target, dns, name),
    checkKeys(target, dns, name),
    checkDmarc(target, dns, name),
  ]);
  return [...pending, spf, dkim, dmarc];
}

async function checkReturnPath(target: Target, dns: Dns, name: string): Promise<Finding> {
  const host = `bounces.${name}`;
  const below = `.return-path.${target.serviceDomain}`;
  const alias = await aliasBelow(dns, host, below);
  if (alias === undefined)
    return fail(
      "domain.spf",
      `${host} has no CNAME: SPF does not pass for ${name}, and bounces are lost`,
      "publish the record of purpose verification (GET /v1/domains)",
    );
  if (target.serviceDomain !== undefined && !alias.endsWith(below))
    return fail(
      "domain.spf",
      `${host} leads to ${alias}, not below ${below.slice(1)}`,
      "publish the record of purpose verification (GET /v1/domains)",
    );
  const results = await Promise.all(
    (await sourcesOf(target, dns)).map(
      async (source) => [source, await evaluateSpf(dns, host, source)] as const,
    ),
  );
  const refused = results.filter(([, result]) => result !== "pass" && result !== "unknown");
  if (refused.length > 0)
    return fail(
      "domain.spf",
      `SPF does not pass for mail of ${name} from ` +
        refused.map(([source, result]) => `${source} (${result})`).join(", "),
      "fix dns.spf: the record below the service domain counts",
    );
  return ok("domain.spf", `${host} leads to ${alias}`);
}

/**
 * Returns the first alias of `host` that ends in `below`, or the last alias of its chain. Undefined
 * if `host` has no alias.
 */
async function aliasBelow(dns: Dns, host: string, below: string): Promise<string | undefined> {
  let found: string | undefined;
  for (let hops = 0; hops < MOST_HOPS; hops += 1) {
    const [next] = await valuesOf(dns, found ?? host, "CNAME");
    if (next === undefined) break;
    found = next;
    if (found.endsWith(below)) break;
  }
  return found;
}

async function checkKeys(target: Target, dns: Dns, name: string): Promise<Finding> {
  const below = `.dkim.${target.serviceDomain}`;
  for (const selector of SELECTORS) {
    const host = `${selector}._domainkey.${name}`;
    const alias = await aliasBelow(dns, host, below);
    const publish = "publish the records of purpose dkim (GET /v1/domains)";
    if (alias === undefined)
      return fail(
        "domain.dkim",
        `${host} has no CNAME: signatures of ${name} can't be checked`,
        publish,
      );
    if (target.serviceDomain !== undefined && !alias.endsWith(below))
      return fail("domain.dkim", `${host} leads to ${alias}, not below ${below.slice(1)}`, publish);
    const keys = (await valuesOf(dns, host, "TXT")).filter((text) =>
      /(?:^|;)\s*p=[A-Za-z0-9+/=\s]+/.test(text),
    );
    if (keys.length !== 1)
      return fail(
        "domain.dkim",
        `${host} leads to ${alias}, which has ${keys.length} DKIM keys where one belongs`,
        "check that DNS_API_TOKEN works; delete the domain and add it again to publish new keys",
      );
  }
  return ok(
    "domain.dkim",
    `${SELECTORS.join(" and ")} of ${name} have their keys; d=${name} aligns`,
  );
}

/** Says what the worker says at `GET /v1/domains/{id}/dns`, by the same judgement. */
async function checkDmarc({ outbound }: Target, dns: Dns, name: string): Promise<Finding> {
  const organization = getDomain(name, { allowPrivateDomains: true }) ?? name;
  const found = await lookUpDmarc(
    {
      texts: async (host) => {
        const lookup = await dns(host, "TXT");
        if (lookup.kind === "failed") return lookup;
        if (lookup.values.length > 0) return { kind: "answer", values: lookup.values };
        return { kind: lookup.isNoName ? "nxdomain" : "nodata" };
      },
    },
    name,
    organization,
  );
  const returnPath = `${outbound === "cloudflare" ? "cf-bounce" : "bounces"}.${name}`;
  const { status, host, message } = judgeDmarc({ ...found, returnPath }).judgement;
  if (status === "ok") return ok("domain.dmarc", message);
  if (status === "unknown")
    return warn("domain.dmarc", message, `check the name servers of ${host}`);
  const mend = `${status === "missing" ? "publish" : "change"} the TXT record at ${host}`;
  return (status === "wrong" ? fail : warn)("domain.dmarc", message, mend);
}
