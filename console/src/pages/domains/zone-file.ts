// Writes a domain's records as a zone file in BIND's syntax. The names are absolute, so $ORIGIN
// does not change the meaning of the file. Pure.
import { quotedStrings } from "./dns-text.ts";
import type { RecordRow } from "./record-rows.ts";

const TTL_SECONDS = 3_600;

type ZoneRecord = Pick<RecordRow, "host" | "type" | "value" | "group">;

/**
 * Returns the file. Records that Cloudflare publishes itself are only comments, because they must
 * not be published twice.
 */
export function zoneFile(domain: string, rows: readonly ZoneRecord[]): string {
  const own = rows.filter(({ group }) => group !== "courier");
  const courier = rows.filter(({ group }) => group === "courier");
  return [
    `; Records of ${domain} for Postern`,
    ...own.map(lineOf),
    ...(courier.length > 0
      ? [
          "",
          "; Managed by Cloudflare's Email Service, listed for comparison only:",
          ...courier.map((record) => `; ${lineOf(record)}`),
        ]
      : []),
    "",
  ].join("\n");
}

function lineOf({ host, type, value }: ZoneRecord): string {
  return `${absolute(host)} ${TTL_SECONDS} IN ${type} ${value === null ? "(set by Cloudflare)" : dataOf(type, value)}`;
}

function dataOf(type: ZoneRecord["type"], value: string): string {
  if (type === "TXT") return quotedStrings(value);
  // The API omits the priority if only Cloudflare knows it.
  const [, priority, target = value] = /^(\d+) +(\S+)$/.exec(value) ?? [];
  return priority === undefined ? absolute(target) : `${priority} ${absolute(target)}`;
}

/** Returns a name with its final dot. Characters that would end or change the name are escaped. */
function absolute(name: string): string {
  const escaped = name.replace(/[^\w.*-]/g, (character) => `\\${character}`);
  return escaped.endsWith(".") ? escaped : `${escaped}.`;
}
