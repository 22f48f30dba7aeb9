// Serves /v1/suppressions, the addresses to which a team sends nothing (contract.md §Suppressions).
// An address in a path is parsed like an address in a body. A path that is not an address has no
// suppressions. `count`, `import`, `imports` and `export` are not addresses, so their routes come
// before `:email`.
import * as z from "zod";
import { entryBy } from "../../audit.ts";
import { storeEntry } from "../../db/audit-entries.ts";
import { type Scope, suppressionsOf } from "../../db/client.ts";
import {
  type ApiRequest,
  type Endpoint,
  endpoint,
  type HttpReply,
  json,
  listPage,
} from "../../endpoint.ts";
import { refuse, refuseMember } from "../../refusal.ts";
import { exportSuppressions } from "./export.ts";
import { importEndpoints } from "./imports.ts";
import { addressKey, EVERY_TOPIC, suppressionName, topicKey } from "./normalise.ts";
import {
  countSuppressions,
  getSuppression,
  getSuppressions,
  insertSuppression,
  listSuppressions,
  positionOf,
  removeSuppressions,
  type SuppressionPosition,
  type SuppressionSort,
} from "./store.ts";
import {
  CreateSuppression,
  Suppression,
  SuppressionCount,
  SuppressionExportQuery,
  SuppressionListQuery,
  SuppressionQuery,
  SuppressionsOfAddress,
  toFilters,
  toManualRow,
  toSuppression,
} from "./wire.ts";
import { reachLedger } from "../team-settings/reach-ledger.ts";

const collection: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/suppressions",
    summary: "List suppressions",
    permission: "full",
    query: SuppressionListQuery,
    paginated: true,
    responses: { 200: Suppression },
    handle: listSorted,
  }),
  endpoint({
    method: "GET",
    path: "/v1/suppressions/count",
    summary: "Count suppressions",
    operationId: "countSuppressions",
    permission: "full",
    query: SuppressionQuery,
    responses: { 200: SuppressionCount },
    async handle(request) {
      const { query, now } = request;
      const { total, hasMore } = await countSuppressions(scopeOf(request), toFilters(query), now);
      return json(200, { total, has_more: hasMore } satisfies z.output<typeof SuppressionCount>);
    },
  }),
  endpoint({
    method: "POST",
    path: "/v1/suppressions",
    summary: "Suppress an address",
    description:
      "Suppresses an address for every topic, or for one. The suppression stays in force " +
      "until it is removed. 422 if the address is already suppressed for that topic.",
    permission: "full",
    body: CreateSuppression,
    audit: { store: "suppressions", operation: "suppression.create" },
    responses: { 201: Suppression },
    async handle(request) {
      const row = toManualRow(request.body, request.now);
      if (!(await insertSuppression(scopeOf(request), row, request.now))) {
        throw refuseMember("email", "is already suppressed for this topic");
      }
      return json(201, toSuppression(row));
    },
  }),
  ...importEndpoints,
  endpoint({
    method: "GET",
    path: "/v1/suppressions/export",
    summary: "Download suppressions as a CSV file",
    description:
      "A text that a spreadsheet would take for a formula gets an apostrophe in front, which " +
      "an import removes again. Programs should ask for `format=plain`, which adds no " +
      "apostrophes.",
    operationId: "exportSuppressions",
    permission: "full",
    query: SuppressionExportQuery,
    produces: "text/csv",
    responses: { 200: z.string() },
    handle: (request) =>
      Promise.resolve({
        status: 200,
        stream: exportSuppressions(
          scopeOf(request),
          toFilters(request.query),
          request.query.format ?? "marked",
          request.now,
        ),
        headers: { "Content-Disposition": 'attachment; filename="suppressions.csv"' },
      }),
  }),
];

const ofAddress: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/suppressions/:email",
    summary: "Get an address's suppressions of every topic",
    description: "Takes an address, or the id of one suppression.",
    operationId: "getSuppressionsOfAddress",
    permission: "full",
    responses: { 200: SuppressionsOfAddress },
    async handle(request) {
      const rows = await getSuppressions(scopeOf(request), emailOf(request), request.now);
      return json(200, { data: rows.map(toSuppression) });
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/v1/suppressions/:email",
    summary: "Remove an address's suppressions of every topic",
    description: "Mail to the address is sent again at once.",
    operationId: "deleteSuppressionsOfAddress",
    permission: "full",
    audit: { store: "suppressions", operation: "suppression.delete" },
    responses: { 204: null },
    async handle(request) {
      await lift(request, null);
      return { status: 204 };
    },
  }),
  endpoint({
    method: "GET",
    path: "/v1/suppressions/:email/:topic",
    summary: "Get an address's suppression of one topic",
    operationId: "getSuppression",
    permission: "full",
    responses: { 200: Suppression },
    async handle(request) {
      return json(
        200,
        toSuppression(
          await getSuppression(scopeOf(request), emailOf(request), topicOf(request), request.now),
        ),
      );
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/v1/suppressions/:email/:topic",
    summary: "Remove an address's suppression of one topic",
    operationId: "deleteSuppression",
    permission: "full",
    audit: { store: "suppressions", operation: "suppression.delete" },
    responses: { 204: null },
    async handle(request) {
      await lift(request, topicOf(request));
      return { status: 204 };
    },
  }),
];

export const suppressionEndpoints: readonly Endpoint[] = [...collection, ...ofAddress];

interface SortedCursor {
  readonly sort: SuppressionSort;
  readonly position: SuppressionPosition;
}

/**
 * Returns one page of the list. The cursor contains the sort order, so that it is invalid for a
 * request with another order.
 */
async function listSorted(
  request: ApiRequest<unknown, z.output<typeof SuppressionListQuery>>,
): Promise<HttpReply> {
  const { page, query, now } = request;
  const { sort = "newest", email_from: from } = query;
  const cursor = page.after === null ? null : (JSON.parse(page.after) as SortedCursor);
  if (cursor && cursor.sort !== sort)
    throw refuseMember("after", `is a cursor of \`sort=${cursor.sort}\``);
  const start = from === undefined ? null : ([from, ""] as const);
  const slice = { sort, after: cursor?.position ?? start, limit: page.limit + 1 };
  const rows = await listSuppressions(scopeOf(request), toFilters(query), slice, now);
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  const next: SortedCursor | null = last ? { sort, position: positionOf(last, sort) } : null;
  return listPage(shown.map(toSuppression), next && JSON.stringify(next));
}

/**
 * Removes an address's suppressions of one topic or, if `topic` is null, of every topic. Removes
 * them first from the ledger and then from the database. In the reverse order, the ledger could
 * write a suppression to the database after the removal.
 */
async function lift(request: ApiRequest, topic: string | null): Promise<void> {
  const isStruck =
    (topic === null || topic === EVERY_TOPIC) &&
    (await reachLedger(request.env, request.caller.team, (ledger) =>
      ledger.dropPendingSuppressions(emailOf(request)),
    ));
  const scope = scopeOf(request);
  const isLifted = await removeSuppressions(scope, emailOf(request), topic, request.now);
  if (!isStruck && !isLifted) throw refuse("not_found");
  if (!isLifted && request.author)
    await storeEntry(scope, entryBy(request.author, suppressionName(emailOf(request), topic)));
}

function scopeOf({ env, caller, author }: Pick<ApiRequest, "env" | "caller" | "author">): Scope {
  return suppressionsOf(env, caller.team, author);
}

function emailOf({ params }: Pick<ApiRequest, "params">): string {
  return addressKey(params["email"] ?? "");
}

function topicOf({ params }: Pick<ApiRequest, "params">): string {
  return topicKey(params["topic"] ?? "");
}
