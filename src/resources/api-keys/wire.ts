// The shape of an API key and of what a team may set on one (contract.md §API keys, contract.md
// §Permissions and restrictions).
import * as z from "zod";
import { parseBlock } from "../../lib/cidr.ts";
import { asciiDomain, endsInNumber } from "../../lib/idna.ts";
import type { ApiKeyRow } from "./store.ts";

const NAME_CHARACTERS = 200;
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

/** In create responses only. */
export const ApiKeyWithSecret = ApiKey.extend({ key: z.string() });

const Name = z
  .string()
  .meta({ minLength: 1, maxLength: NAME_CHARACTERS })
  .refine((text) => text.trim() !== "", { error: "must not be empty", abort: true })
  .refine(
    (text) => text.length <= 2 * NAME_CHARACTERS && Array.from(text).length <= NAME_CHARACTERS,
    `must be at most ${NAME_CHARACTERS} characters`,
  )
  .refine(
    (text) => text.isWellFormed() && !/\p{Cc}/u.test(text),
    "must not hold control characters or halves of characters",
  );

/**
 * As the sender's domain is compared: lower-case ASCII. It need not be verified, nor even added,
 * yet.
 */
const AllowedDomain = z.string().transform((text, context) => {
  const name = asciiDomain(text.trim().replace(/\.$/, ""));
  if (name !== undefined && name.includes(".") && !endsInNumber(name)) return name;
  context.issues.push({ code: "custom", message: "is not a domain name", input: text });
  return z.NEVER;
});

/** Kept as it was written, so that a client finds again what it set. */
const AllowedIp = z
  .string()
  .trim()
  .refine((text) => parseBlock(text) !== undefined, "is not an IPv4 or IPv6 address or CIDR block");

/**
 * Null, an empty list and no member at all each mean: not restricted. The list is counted before
 * its entries are read, so that a huge one is one error.
 */
const restrictionTo = (entry: z.ZodType<string>) =>
  z
    .array(z.unknown())
    .max(ENTRIES_PER_RESTRICTION, `must be at most ${ENTRIES_PER_RESTRICTION} entries`)
    .meta({ items: { type: "string" } })
    .pipe(z.array(entry))
    .transform((entries) => (entries.length === 0 ? null : [...new Set(entries)]))
    .nullable()
    .default(null);

/** The body of a creation and of a change alike: a change replaces all four. */
export const ApiKeySettings = z
  .object({
    name: Name,
    permissions: ApiKey.shape.permissions,
    allowed_domains: restrictionTo(AllowedDomain).describe(
      "The sending domains that `from` may name; null, empty or left out: all of the team's.",
    ),
    allowed_ips: restrictionTo(AllowedIp).describe(
      "The addresses and CIDR blocks that the key may be used from; null, empty or left out: any.",
    ),
  })
  .meta({ id: "ApiKeySettings" });

export function toApiKey(row: Omit<ApiKeyRow, "teamId">): z.output<typeof ApiKey> {
  return {
    id: row.id,
    name: row.name,
    key_prefix: row.keyPrefix,
    permissions: row.permissions,
    allowed_domains: row.allowedDomains,
    allowed_ips: row.allowedIps,
    last_used_at: row.lastUsedAt === null ? null : new Date(row.lastUsedAt).toISOString(),
    created_at: new Date(row.createdAt).toISOString(),
  };
}

export function toSettings(
  body: z.output<typeof ApiKeySettings>,
): Pick<ApiKeyRow, "name" | "permissions" | "allowedDomains" | "allowedIps"> {
  return {
    name: body.name,
    permissions: body.permissions,
    allowedDomains: body.allowed_domains,
    allowedIps: body.allowed_ips,
  };
}
