// Observes every request: counts it, measures the time to the start of its response, schedules the
// transfer of the isolate's counts, and writes the access log if the operator enabled it. Paths may
// contain addresses and tokens, so the log names the matched route instead.
import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import { logInfo } from "../../lib/log.ts";
import { SECOND_MS } from "../../limits.ts";
import { count, flushSoon, observe } from "../../metrics/isolate-counts.ts";
import type { ApiContext } from "../api-context.ts";

/** The status of a request without a valid credential. Such a request is in no team's log. */
const UNAUTHENTICATED = 401;

export function observeResponse(c: Context<ApiContext>, status: number): void {
  const ms = Date.now() - c.get("now");
  const surface = surfaceOf(c.req.path);
  count("postern_http_requests_total", { surface, status: `${Math.floor(status / 100)}xx` });
  observe("postern_http_request_duration_seconds", { surface }, ms / SECOND_MS);
  if (status === UNAUTHENTICATED) count("postern_unauthenticated_requests_total");
  flushSoon(c.env, c.executionCtx);
  if (c.env.ACCESS_LOG === "true") logAccess(c, status, ms);
}

/** Returns the path's label in the metrics. There are few labels, and clients cannot invent one. */
function surfaceOf(path: string): string {
  if (path === "/v1/email") return "send";
  if (path === "/v1/email/batch") return "batch";
  const [, first = ""] = path.split("/", 2);
  switch (first) {
    case "v1":
      return "manage";
    case "gateway":
      return path === "/gateway/messages" || path === "/gateway/message-bundles"
        ? "submission"
        : "gateway";
    case "admin":
      return "admin";
    case "u":
    case "o":
    case "c":
      return "recipient";
    default:
      return "other";
  }
}

function logAccess(c: Context<ApiContext>, status: number, ms: number): void {
  const caller = c.get("caller") as ApiContext["Variables"]["caller"] | undefined;
  logInfo("request", {
    request_id: c.get("requestId"),
    method: c.req.method,
    route: matchedRoutes(c).findLast(({ path }) => path !== "/*")?.path ?? null,
    status,
    ms,
    team_id: caller?.team.id,
    key_id: caller?.key?.id,
    member_id: caller?.person?.id,
  });
}
