// Evaluates whether an SPF record lets an IP address send (RFC 7208). Only the mechanisms that a
// service needs for its own hosts are evaluated: macros, `exists` and `ptr` match nothing. If the
// result depends on one of these three, it is `unknown`.
import { BlockList, isIP } from "node:net";
import { addressesOf, type WatchDns } from "./watch-dns.ts";

export type SpfResult = "pass" | "fail" | "softfail" | "neutral" | "none" | "permerror" | "unknown";

const LOOKUPS = 10;
const RESULTS: Readonly<Record<string, SpfResult>> = {
  "+": "pass",
  "-": "fail",
  "~": "softfail",
  "?": "neutral",
};
const TERM = /^([-+~?]?)([a-z0-9]+)(?::([^/]+))?(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/i;

interface Budget {
  left: number;
}

interface Term {
  readonly kind: string;
  readonly domain: string;
  /** The text after a mechanism's first colon. For `ip6`, the text is an address with colons. */
  readonly value: string;
  readonly bits: { readonly ipv4: number; readonly ipv6: number };
}

function isSpf(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text);
}

/** Evaluates the SPF record of `domain` for mail from the IP address. Rejects with NoDnsAnswer. */
export async function evaluateSpf(
  dns: WatchDns,
  domain: string,
  address: string,
  budget: Budget = { left: LOOKUPS },
): Promise<SpfResult> {
  const policies = (await dns(domain, "TXT")).filter(isSpf);
  if (policies.length !== 1) return policies.length === 0 ? "none" : "permerror";
  const words = (policies[0] ?? "")
    .split(/ +/)
    .slice(1)
    .filter((word) => word !== "");
  let isUnsure = false;
  for (const word of words.filter((one) => !/^[a-z0-9_.-]+=/i.test(one))) {
    const matched = await matches(dns, word, domain, address, budget);
    if (matched === "permerror") return "permerror";
    if (matched === true)
      return isUnsure ? "unknown" : (RESULTS[/^[-+~?]/.exec(word)?.[0] ?? "+"] ?? "pass");
    isUnsure ||= matched === "unknown";
  }
  const [redirect] = words.flatMap((word) => /^redirect=(.+)$/i.exec(word)?.[1] ?? []);
  if (redirect === undefined) return isUnsure ? "unknown" : "neutral";
  if (!spend(budget)) return "permerror";
  const result = await evaluateSpf(dns, redirect, address, budget);
  return result === "none" ? "permerror" : result;
}

async function matches(
  dns: WatchDns,
  word: string,
  domain: string,
  address: string,
  budget: Budget,
): Promise<boolean | "unknown" | "permerror"> {
  const term = termOf(word, domain);
  if (term === null) return "permerror";
  if (term.kind === "all") return true;
  if (term.kind === "ip4" || term.kind === "ip6") return isIn(address, [term.value], term);
  if (!["a", "mx", "include", "exists", "ptr"].includes(term.kind) || !spend(budget))
    return "permerror";
  if (term.domain.includes("%") || term.kind === "exists" || term.kind === "ptr") return "unknown";
  if (term.kind === "a") return isIn(address, await addressesOf(dns, term.domain), term);
  if (term.kind === "mx") {
    const hosts = await dns(term.domain, "MX");
    return isIn(
      address,
      (await Promise.all(hosts.map((host) => addressesOf(dns, host)))).flat(),
      term,
    );
  }
  const included = await evaluateSpf(dns, term.domain, address, budget);
  if (included === "none" || included === "permerror") return "permerror";
  return included === "unknown" ? "unknown" : included === "pass";
}

function termOf(word: string, domain: string): Term | null {
  const parts = TERM.exec(word);
  if (!parts) return null;
  const [, , name = "", value = "", first, second] = parts;
  const kind = name.toLowerCase();
  const [ipv4, ipv6] = kind === "ip6" ? [32, first] : [first, second];
  const bits = { ipv4: Number(ipv4 ?? 32), ipv6: Number(ipv6 ?? 128) };
  return { kind, domain: value === "" ? domain : value, value, bits };
}

function isIn(address: string, networks: readonly string[], { bits }: Term): boolean {
  const list = new BlockList();
  for (const network of networks) {
    const version = isIP(network);
    if (version === 4 && bits.ipv4 <= 32) list.addSubnet(network, bits.ipv4, "ipv4");
    if (version === 6 && bits.ipv6 <= 128) list.addSubnet(network, bits.ipv6, "ipv6");
  }
  return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

function spend(budget: Budget): boolean {
  budget.left -= 1;
  return budget.left >= 0;
}
