// Serves /v1/suppressions, the addresses to which a team sends nothing (contract.md §Suppressions).
// An address in a path is parsed like one in a body. A path that is not an address has no
// suppressions. `import`, `imports` and `export` are matched before `:email`; they are not
// addresses.
import * as z from "zod";
import { type Scope, suppressionsOf } from "../../db/client.ts";
import { type ApiRequest, type Endpoint, endpoint, json, listRows } from "../../endpoint.ts";
import { refuse } from "../../refusal.ts";
import { exportSuppressions } from "./export.ts";
import { importEndpoints } from "./imports.ts";
import { addressKey, EVERY_TOPIC, topicKey } from "./normalise.ts";
import {
  getSuppression,
  getSuppressions,
  insertSuppressions,
  listSuppressions,
  removeSuppressions,
} from "./store.ts";
import {
  CreateSuppression,
  Suppression,
  SuppressionExportQuery,
  SuppressionQuery,
  SuppressionsOfAddress,
  toFilters,
  toManualRow,
  toSuppression,
} from "./wire.ts";
import { reachLedger } from "../../reach-ledger.ts";

const collection: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/suppressions",
    summary: "List suppressions",
    permission: "full",
    query: SuppressionQuery,
    paginated: true,
    responses: { 200: Suppression },
    async handle(request) {
      const { page, query, now } = request;
      return listRows(
        page,
        (limit, after) => listSuppressions(scopeOf(request), toFilters(query), limit, after, now),
        toSuppression,
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/v1/suppressions",
    summary: "Suppress an address",
    description:
      "For every topic, or for one. It stays in force until it is removed. 422 if the " +
      "address is already suppressed for that topic.",
    permission: "full",
    body: CreateSuppression,
    responses: { 201: Suppression },
    async handle(request) {
      const row = toManualRow(request.body, request.now);
      if ((await insertSuppressions(scopeOf(request), [row], request.now)) === 0) {
        throw refuse("invalid", { errors: { email: ["is already suppressed for this topic"] } });
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
      "A text that a spreadsheet would take for a formula begins with an apostrophe, which an " +
      "import takes off again. Programs ask for `format=plain`, which has none.",
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
    description: "Mail to it is sent again at once.",
    operationId: "deleteSuppressionsOfAddress",
    permission: "full",
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
    responses: { 204: null },
    async handle(request) {
      await lift(request, topicOf(request));
      return { status: 204 };
    },
  }),
];

export const suppressionEndpoints: readonly Endpoint[] = [...collection, ...ofAddress];

/**
 * Lifts an address's suppressions of one topic, or of every topic if it is null. The ledger comes
 * first, because a suppression that it has not handed over yet must not arrive after the lifting.
 */
async function lift(request: ApiRequest, topic: string | null): Promise<void> {
  const isStruck =
    (topic === null || topic === EVERY_TOPIC) &&
    (await reachLedger(request.env, request.caller.team.id, (ledger) =>
      ledger.dropPendingSuppressions(emailOf(request)),
    ));
  const isLifted = await removeSuppressions(scopeOf(request), emailOf(request), topic, request.now);
  if (!isStruck && !isLifted) throw refuse("not_found");
}

function scopeOf({ env, caller }: Pick<ApiRequest, "env" | "caller">): Scope {
  return suppressionsOf(env, caller.team);
}

function emailOf({ params }: Pick<ApiRequest, "params">): string {
  return addressKey(params["email"] ?? "");
}

function topicOf({ params }: Pick<ApiRequest, "params">): string {
  return topicKey(params["topic"] ?? "");
}
