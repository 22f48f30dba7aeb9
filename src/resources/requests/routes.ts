// Serves the log of a team's latest requests (contract.md §Log of requests).
import { type ApiRequest, type Endpoint, endpoint, json, listRows } from "../../endpoint.ts";
import { requireRow, RefusalError } from "../../refusal.ts";
import type { RequestRecorder, SeenRequests } from "../../rpc/request-log-calls.ts";
import type { Stub } from "../../namespace.ts";
import { takeRequests } from "./isolate-requests.ts";
import { LoggedRequest, RequestQuery, toLoggedRequest, toRequestFilters } from "./wire.ts";
import { objectOf } from "../../object-of.ts";

export const requestEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/requests",
    summary: "List the last requests that failed",
    description:
      "What the team's programs got: each kind of request that ended in 4xx or 5xx, with its " +
      "newest request and a count, and one in a hundred of all other requests. Newest first, for " +
      "three days. No bodies, no paths and no whole addresses are kept.",
    permission: "full",
    query: RequestQuery,
    paginated: true,
    responses: { 200: LoggedRequest },
    handle: (request) =>
      listRows(
        request.page,
        async (limit, after) => {
          const page = { filters: toRequestFilters(request.query), limit, after };
          const rows = await askLog(request, (log, seen) => log.list(seen, page));
          return rows.map((row) => ({ row, createdAt: row.request.at, id: row.request.id }));
        },
        ({ row }) => toLoggedRequest(row),
      ),
  }),
  endpoint({
    method: "GET",
    path: "/v1/requests/:id",
    summary: "Get one of the last requests",
    description:
      "Finds a request by the `X-Request-Id` of its response. Of each kind of request, the " +
      "newest eight can be found.",
    permission: "full",
    responses: { 200: LoggedRequest },
    async handle(request) {
      const row = await askLog(request, (log, seen) => log.find(seen, request.id));
      return json(200, toLoggedRequest(requireRow(row)));
    },
  }),
];

/** Queries the team's log, and transfers this isolate's requests of the team to it. */
async function askLog<Result>(
  { env, caller, defer }: ApiRequest,
  ask: (log: Stub<RequestRecorder>, seen: readonly SeenRequests[]) => Promise<Result>,
): Promise<Result> {
  const seen = await takeRequests(env, caller.team.id, defer);
  try {
    return await ask(objectOf(env, "REQUEST_LOG", caller.team.id), seen);
  } catch (error) {
    throw new RefusalError({ code: "storage_unavailable" }, {}, error);
  }
}
