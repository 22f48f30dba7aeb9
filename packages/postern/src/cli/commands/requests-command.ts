// `postern requests`: the newest failed requests of the team's programs. `--follow` also shows new
// ones as they come.
import type { ListRequestsQuery, LoggedRequest } from "../../generated/types.ts";
import type { SingleCommand } from "../command.ts";
import { padToWidth } from "../display-width.ts";
import { LINES, newestRun } from "../newest-lines.ts";
import { definedMembers, type ParsedArguments, type OptionTable } from "../parsed-arguments.ts";
import { printable } from "../printable.ts";
import { figure, moment } from "../shown-values.ts";

const ROUTE_COLUMN = 32;

const OPTIONS: OptionTable = {
  follow: { short: "f", summary: "Also show new requests, until Ctrl-C" },
  limit: { value: "<n>", summary: `Requests to show; ${LINES} by default` },
  since: { value: "<time>", summary: "From this date or time; default: three days ago" },
  status: { value: "<status>", summary: "Filter by status, such as 422 or 4xx" },
  route: { value: "<route>", summary: "Filter by endpoint, such as /v1/email" },
  "key-id": { value: "<id>", summary: "Filter by the id of an API key" },
};

export const REQUESTS_COMMAND: SingleCommand = {
  name: "requests",
  summary: "Show the last requests that failed",
  options: OPTIONS,
  examples: [
    "postern requests --status 4xx",
    "postern requests --follow",
    "postern requests --route /v1/email --json | jq .fields",
  ],
  run: newestRun(
    "requests",
    (client, given, limit) => client.requests.list({ ...queryOf(given), limit }),
    requestLine,
  ),
};

function requestLine(logged: LoggedRequest): string {
  const { method, route, target, status, error_type: type, fields, count, id } = logged;
  const parts = [
    type ?? "",
    fields.join(", "),
    target ?? "",
    count === 1 ? "" : `${figure(count)} times`,
    id,
  ];
  return [
    moment(logged.created_at),
    String(status),
    padToWidth(printable(`${method} ${route ?? "(unknown path)"}`), ROUTE_COLUMN),
    parts.filter((part) => part !== "").join("  "),
  ]
    .map(printable)
    .join("  ");
}

function queryOf(given: ParsedArguments): ListRequestsQuery {
  return definedMembers({
    since: given.text("since"),
    status: given.text("status"),
    route: given.text("route"),
    key: given.text("key-id"),
  });
}
