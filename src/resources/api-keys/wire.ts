// The shape of an API key (spec.md "ApiKey").
import * as z from "zod";
import type { ApiKeyRow } from "./store.ts";

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
