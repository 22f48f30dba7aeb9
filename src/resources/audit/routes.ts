// Serves the audit trail (docs/audit.md): GET /console/audit to a team's owners, and GET
// /admin/audit to the operator. The trail names people. So it is not under /v1, which every key
// with full permissions can read.
import type * as z from "zod";
import type { AuditEntry } from "../../audit.ts";
import { coreOf, suppressionsOf } from "../../db/client.ts";
import { readCores } from "../../db/core-shards.ts";
import { mergeLists } from "../../db/team-rows.ts";
import {
  type ApiRequest,
  type Endpoint,
  endpoint,
  type HttpReply,
  listRows,
  type RowPosition,
} from "../../endpoint.ts";
import { DAY_MS } from "../../limits.ts";
import { reachLedger } from "../team-settings/reach-ledger.ts";
import { listEntries, listOperatorEntries } from "./store.ts";
import { AuditFilters, AuditRecord, toAuditQuery, toAuditRecord } from "./wire.ts";

type AuditRequest = ApiRequest<unknown, z.output<typeof AuditFilters>>;

export const auditEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/console/audit",
    summary: "List who changed what",
    description:
      "For owners, with the console's session. Newest first; `AUDIT_DAYS` says how far back. " +
      "Sends are not in it.",
    operationId: "listAudit",
    permission: "owner",
    query: AuditFilters,
    paginated: true,
    responses: { 200: AuditRecord },
    handle: (request) => listTrail(request, mergeStores),
  }),
  endpoint({
    method: "GET",
    path: "/admin/audit",
    summary: "List what the operator changed",
    operationId: "listOperatorAudit",
    permission: "operator",
    query: AuditFilters,
    paginated: true,
    responses: { 200: AuditRecord },
    handle: (request) =>
      listTrail(request, async ({ env }, query, limit) =>
        newest(await readCores(env, (db) => listOperatorEntries(db, query, limit)), limit),
      ),
  }),
];

function listTrail(
  request: AuditRequest,
  list: (
    request: AuditRequest,
    query: ReturnType<typeof toAuditQuery>,
    limit: number,
  ) => Promise<AuditEntry[]>,
): Promise<HttpReply> {
  const since = request.now - request.settings.auditDays * DAY_MS;
  const read = async (limit: number, after: RowPosition | null) => {
    const entries = await list(request, toAuditQuery(request.query, since, after), limit);
    return entries.map((entry) => ({ ...entry, createdAt: entry.at }));
  };
  return listRows(request.page, read, toAuditRecord);
}

/** Reads the entries of all stores. A store has the entries of the changes that it commits. */
async function mergeStores(
  request: AuditRequest,
  query: ReturnType<typeof toAuditQuery>,
  limit: number,
): Promise<AuditEntry[]> {
  const { env, caller } = request;
  const entries = await Promise.all([
    listEntries(coreOf(request), query, limit),
    listEntries(suppressionsOf(env, caller.team), query, limit),
    reachLedger(env, caller.team, (ledger) => ledger.listAudit(query, limit)),
  ]);
  return newest(entries, limit);
}

function newest(lists: readonly (readonly AuditEntry[])[], limit: number): AuditEntry[] {
  return mergeLists(lists, limit, "newest", ({ at }) => at);
}
