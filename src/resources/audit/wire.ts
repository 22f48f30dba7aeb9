// Declares the JSON of the audit trail (docs/audit.md).
import * as z from "zod";
import type { AuditEntry, AuditQuery } from "../../audit.ts";

const ACTORS = ["key", "person", "operator", "service"] as const;
const TEXT_CHARACTERS = 400;

const filter = (description: string) =>
  z.string().min(1).max(TEXT_CHARACTERS).optional().describe(description);

export const AuditFilters = z.object({
  operation: filter("Only entries of this operation, such as `template.publish`."),
  actor_kind: z.enum(ACTORS).optional().describe("Only entries of this kind of actor."),
  actor_id: filter("Only entries of this key or person."),
  target: filter("Only entries about this id or suppressed address."),
});

export const AuditRecord = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    actor: z.object({
      kind: z.enum(ACTORS),
      id: z.string().nullable(),
      name: z.string().nullable(),
    }),
    via: z.enum(["api", "resend", "mcp", "console", "service"]),
    operation: z.string(),
    target: z.string().nullable(),
    changed: z.array(z.string()).describe("Names of members, never their values."),
    request_id: z.string().nullable(),
  })
  .meta({ id: "AuditRecord" });

export function toAuditRecord(entry: AuditEntry): z.output<typeof AuditRecord> {
  const { id, at, actor, via, operation, target, changed, requestId } = entry;
  return {
    id,
    at: new Date(at).toISOString(),
    actor,
    via,
    operation,
    target,
    changed: [...changed],
    request_id: requestId,
  };
}

/** Makes the query for a page. `before` null: the page begins with the newest entry. */
export function toAuditQuery(
  filters: z.output<typeof AuditFilters>,
  since: number,
  before: { readonly createdAt: number; readonly id: string } | null,
): AuditQuery {
  return {
    since,
    before: before
      ? { at: before.createdAt, id: before.id }
      : { at: Number.MAX_SAFE_INTEGER, id: "" },
    operation: filters.operation ?? null,
    actorKind: filters.actor_kind ?? null,
    actorId: filters.actor_id ?? null,
    target: filters.target ?? null,
  };
}
