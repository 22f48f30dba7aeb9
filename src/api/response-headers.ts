// Sets the headers of every response (contract.md §Response headers): X-Request-Id, which a fault's
// log line names too, and on everything but pages the headers that forbid caching and type
// sniffing.
import { createMiddleware } from "hono/factory";
import { uuidv7 } from "../lib/ids.ts";
import type { ApiContext } from "./api-context.ts";

export const responseHeaders = createMiddleware<ApiContext>(async (c, next) => {
  const now = Date.now();
  c.set("now", now);
  c.set("requestId", `req_${uuidv7(now)}`);
  await next();
  const { headers } = c.res;
  headers.set("X-Request-Id", c.get("requestId"));
  if (!/^\/(?:v1|admin|healthz|console\/session)(?:\/|$)/.test(c.req.path)) return;
  headers.set("Cache-Control", "no-store");
  headers.set("X-Content-Type-Options", "nosniff");
});
