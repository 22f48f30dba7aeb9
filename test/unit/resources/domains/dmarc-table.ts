// Reads the table of DMARC records, test/fixtures/dmarc/records.txt, and serves its zones.
import type { DnsLookup } from "../../../../src/resources/domains/resolver.ts";

export interface DmarcCase {
  readonly title: string;
  readonly domain: string;
  readonly doesExist: boolean;
  /** The TXT records by full name, such as `_dmarc.example.com`. */
  readonly zone: ReadonlyMap<string, readonly string[]>;
  readonly by7489: string;
  readonly by9989: string;
  /** The service's own verdict: the status, whether DMARC is enforced, and the message. */
  readonly ours: string;
}

const FILES: Record<string, string> = import.meta.glob("../../../fixtures/dmarc/*.txt", {
  query: "?raw",
  import: "default",
  eager: true,
});
const TABLE = FILES["../../../fixtures/dmarc/records.txt"] ?? "";
const NOT_IN_DNS = " (not in DNS)";

export const DMARC_CASES: readonly DmarcCase[] = TABLE.split(/^## /m).slice(1).map(toCase);

function toCase(block: string): DmarcCase {
  const [title = "", ...lines] = block.trim().split("\n");
  const pairs = lines.map((line) => {
    const colon = line.indexOf(": ");
    return [line.slice(0, colon), line.slice(colon + 2)] as const;
  });
  const valueOf = (name: string): string => pairs.find(([key]) => key === name)?.[1] ?? "";
  const domain = valueOf("domain");
  const zone = new Map<string, string[]>();
  for (const [key, value] of pairs)
    if (key.startsWith("_dmarc.")) zone.set(key, [...(zone.get(key) ?? []), value]);
  const by7489 = valueOf("7489");
  return {
    title,
    domain: domain.replace(NOT_IN_DNS, ""),
    doesExist: !domain.endsWith(NOT_IN_DNS),
    zone,
    by7489,
    by9989: valueOf("9989") === "=" ? by7489 : valueOf("9989"),
    ours: valueOf("ours"),
  };
}

/** Answers queries about the zone as DNS would, and records the names that were asked for. */
export function serveZone(
  zone: ReadonlyMap<string, readonly string[]>,
  existing: readonly string[],
): { readonly texts: (name: string) => Promise<DnsLookup>; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    texts: (name) => {
      asked.push(name);
      return Promise.resolve(answerFrom(zone, existing, name));
    },
  };
}

function answerFrom(
  zone: ReadonlyMap<string, readonly string[]>,
  existing: readonly string[],
  name: string,
): DnsLookup {
  const values = zone.get(name);
  const [first] = values ?? [];
  if (first?.startsWith("?")) return { kind: "failed", reason: first.slice(1) };
  if (values) return { kind: "answer", values };
  const isAbove = [...zone.keys(), ...existing].some((one) => `.${one}`.endsWith(`.${name}`));
  return { kind: isAbove ? "nodata" : "nxdomain" };
}
