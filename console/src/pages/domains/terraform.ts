// Writes a domain's records as Terraform, for version 5 of Cloudflare's provider. Pure.
import { quotedStrings } from "./dns-text.ts";
import type { RecordRow } from "./record-rows.ts";

/** Cloudflare's TTL value for "automatic". */
const TTL_AUTOMATIC = 1;

type TerraformRecord = Pick<RecordRow, "host" | "type" | "value" | "group">;

/** Returns the configuration, without the records that Cloudflare publishes itself. */
export function terraform(domain: string, zone: string, rows: readonly TerraformRecord[]): string {
  const own = rows.filter(({ group }) => group !== "courier");
  const variable = identifier(`zone_id_of_${domain}`);
  const names = uniqueNames(own);
  return [
    `# Records of ${domain} for Postern: resources of the provider cloudflare/cloudflare, version 5.`,
    ...(own.length < rows.length
      ? ["# Cloudflare's Email Service publishes its own records, so they are not listed here."]
      : []),
    "",
    `variable "${variable}" {`,
    "  type        = string",
    `  description = ${quoted(`The id of the zone ${zone} at Cloudflare`)}`,
    "}",
    ...own.flatMap((record, index) => resourceOf(record, names[index] ?? "", variable)),
    "",
  ].join("\n");
}

function resourceOf(
  { host, type, value }: TerraformRecord,
  name: string,
  variable: string,
): readonly string[] {
  const content = type === "TXT" ? quotedStrings(value ?? "") : (value ?? "");
  return [
    "",
    `resource "cloudflare_dns_record" "${name}" {`,
    `  zone_id = var.${variable}`,
    `  name    = ${quoted(host)}`,
    `  type    = ${quoted(type)}`,
    `  content = ${quoted(content)}`,
    `  ttl     = ${TTL_AUTOMATIC}`,
    ...(type === "CNAME" ? ["  proxied = false"] : []),
    "}",
  ];
}

/** Returns a unique name for each record. */
function uniqueNames(records: readonly TerraformRecord[]): readonly string[] {
  const taken = new Set<string>();
  return records.map(({ host }) => {
    const name = identifier(host);
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
    taken.add(free);
    return free;
  });
}

/** Makes an identifier: letters, digits, `_` and `-`, not beginning with a digit or a hyphen. */
function identifier(text: string): string {
  const safe = text.replace(/[^\w-]/g, "_");
  return /^[A-Za-z_]/.test(safe) ? safe : `_${safe}`;
}

/** Writes a string in HCL's syntax, where `${` and `%{` would begin a template. */
function quoted(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replace(/[$%](?=\{)/g, (sign) => sign + sign);
  return `"${escaped}"`;
}
