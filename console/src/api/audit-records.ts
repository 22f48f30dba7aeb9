// Reads the audit trail: who changed what (docs/audit.md). It is not a part of the API for
// programs, so the client has no generated methods for it.
import { Pages } from "../../../packages/postern/src/request/item-pages.ts";
import { callService } from "./api-client.ts";
import type { AuditRecord } from "./operator/types.ts";

export interface AuditFilters {
  readonly operation?: string;
  readonly actor_id?: string;
  readonly target?: string;
}

export function listAudit(
  query: AuditFilters & { readonly limit?: number; readonly after?: string },
): Pages<AuditRecord> {
  return new Pages(callService, "/console/audit", query, undefined);
}

/** Returns an actor's name for the middle of a sentence. */
export function actorText({ kind, name }: AuditRecord["actor"]): string {
  if (kind === "operator") return "the operator";
  if (kind === "service") return "Postern";
  return kind === "key" ? `the key “${name ?? ""}”` : (name ?? "");
}

/** Returns an actor's name for a table. */
export function actorName({ kind, name }: AuditRecord["actor"]): string {
  if (kind === "operator") return "Operator";
  return kind === "key" ? `Key “${name ?? ""}”` : actorText({ kind, name, id: null });
}
