// Looks up DNS through a public resolver over HTTPS (RFC 8484). The resolver follows aliases. A
// failed look-up and a name without records have different results.
import { Buffer } from "node:buffer";
import { type Answer, decode, encode, RECURSION_DESIRED } from "dns-packet";

export type LookupType = "A" | "AAAA" | "MX" | "TXT";

/**
 * `values` is empty if the name has no such record. `reason` says why the look-up failed, as the
 * end of a sentence.
 */
type Lookup =
  | { readonly kind: "values"; readonly values: readonly string[] }
  | { readonly kind: "failed"; readonly reason: string };

export type Dns = (name: string, type: LookupType) => Promise<Lookup>;

const TIMEOUT_MS = 5_000;
const RCODES: Readonly<Record<number, string>> = { 2: "SERVFAIL", 5: "REFUSED" };
const NXDOMAIN = 3;

/**
 * Returns a function that asks the resolver. It asks each question only once and remembers the
 * answer.
 */
export function dnsOver(url: string): Dns {
  const asked = new Map<string, Promise<Lookup>>();
  return (name, type) => {
    const question = `${type} ${name}`;
    const known = asked.get(question) ?? ask(url, name, type);
    asked.set(question, known);
    return known;
  };
}

/** Returns no values if the name has no such record or the look-up failed. */
export async function valuesOf(
  dns: Dns,
  name: string,
  type: LookupType,
): Promise<readonly string[]> {
  const found = await dns(name, type);
  return found.kind === "values" ? found.values : [];
}

export async function addressesOf(dns: Dns, host: string): Promise<readonly string[]> {
  return (await Promise.all([valuesOf(dns, host, "A"), valuesOf(dns, host, "AAAA")])).flat();
}

async function ask(url: string, name: string, type: LookupType): Promise<Lookup> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/dns-message", accept: "application/dns-message" },
      body: new Uint8Array(
        encode({
          type: "query",
          id: 0,
          flags: RECURSION_DESIRED,
          questions: [{ type, name, class: "IN" }],
        }),
      ),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 200)
      return { kind: "failed", reason: `the resolver answered HTTP ${response.status}` };
    const packet = decode(Buffer.from(await response.arrayBuffer()));
    const rcode = (packet.flags ?? 0) & 0xf;
    if (rcode !== 0 && rcode !== NXDOMAIN)
      return { kind: "failed", reason: RCODES[rcode] ?? `response code ${rcode}` };
    return {
      kind: "values",
      values: (packet.answers ?? []).filter((answer) => answer.type === type).map(textOf),
    };
  } catch (error) {
    return { kind: "failed", reason: `${url} does not answer (${(error as Error).name})` };
  }
}

function textOf(answer: Answer): string {
  if (answer.type === "MX") return canonical(answer.data.exchange);
  if (answer.type === "TXT") return [answer.data].flat().map(String).join("");
  const { data } = answer as { data?: unknown };
  return typeof data === "string" ? canonical(data) : "";
}

function canonical(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
