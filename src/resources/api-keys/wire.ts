// Declares the JSON of an API key and of its settings (contract.md §API keys, contract.md
// §Permissions and restrictions).
import * as z from "zod";
import { GivenName, noValue } from "../../given-text.ts";
import { parseBlock } from "../../lib/cidr.ts";
import { asciiDomain, endsInNumber } from "../../lib/idna.ts";
import { NAME_CHARACTERS } from "../../limits.ts";
import { toTime } from "../../time-text.ts";
import type { KeySettings, NewApiKeyRow } from "./store.ts";

const ENTRIES_PER_RESTRICTION = 100;

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  key_prefix: z.string(),
  permissions: z.enum(["full", "send_only"]),
  allowed_domains: z.array(z.string()).nullable(),
  allowed_ips: z.array(z.string()).nullable(),
  last_used_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
});

/** The response to a creation, the only response with the secret. */
export const ApiKeyWithSecret = ApiKey.extend({ key: z.string() });

/** Normalized like a sender's domain: lower-case ASCII. The domain may be unverified or unknown. */
const AllowedDomain = z.string().transform((text, context) => {
  const name = asciiDomain(text.trim().replace(/\.$/, ""));
  return name !== undefined && name.includes(".") && !endsInNumber(name)
    ? name
    : noValue(context, text, "is not a domain name");
});

/** An entry is stored as the client wrote it, so that clients read back the value that they set. */
const AllowedIp = z
  .string()
  .trim()
  .refine((text) => parseBlock(text) !== undefined, "is not an IPv4 or IPv6 address or CIDR block");

/**
 * Makes the schema of a restriction. Null, an empty list and a missing member all mean that the key
 * is unrestricted. Entries are counted before they are parsed, so that a huge list causes a single
 * error.
 */
const listOf = (entry: z.ZodType<string>) =>
  z
    .array(z.unknown())
    .max(ENTRIES_PER_RESTRICTION, `must be at most ${ENTRIES_PER_RESTRICTION} entries`)
    .meta({ items: { type: "string" } })
    .pipe(z.array(entry))
    .transform((entries) => (entries.length === 0 ? null : [...new Set(entries)]))
    .nullable()
    .default(null);

/** The body of a creation and of a change. A change replaces all four settings. */
export const ApiKeySettings = z
  .object({
    name: GivenName.meta({
      minLength: 1,
      maxLength: NAME_CHARACTERS,
      description: "A name that tells people which key this is.",
    }),
    permissions: ApiKey.shape.permissions.describe(
      "`full`: all endpoints. `send_only`: sending, and `GET /v1/whoami`.",
    ),
    allowed_domains: listOf(AllowedDomain).describe(
      "Sending domains allowed in `from`. Null, empty or absent: all of the team's domains.",
    ),
    allowed_ips: listOf(AllowedIp).describe(
      "Addresses and CIDR blocks from which the key works. Null, empty or absent: any address.",
    ),
  })
  .meta({ id: "ApiKeySettings" });

export function toApiKey(row: NewApiKeyRow): z.output<typeof ApiKey> {
  return {
    id: row.id,
    name: row.name,
    key_prefix: row.keyPrefix,
    permissions: row.permissions,
    allowed_domains: row.allowedDomains,
    allowed_ips: row.allowedIps,
    last_used_at: toTime(row.lastUsedAt),
    created_at: toTime(row.createdAt),
  };
}

export function toSettings(body: z.output<typeof ApiKeySettings>): KeySettings {
  return {
    name: body.name,
    permissions: body.permissions,
    allowedDomains: body.allowed_domains,
    allowedIps: body.allowed_ips,
  };
}
