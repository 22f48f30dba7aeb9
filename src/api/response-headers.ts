// Every response carries X-Request-Id (wire.md "Errors"), and every fault's log line the same id.
import { createMiddleware } from "hono/factory";
import { uuidv7 } from "../lib/ids.ts";
import type { ApiContext } from "./context.ts";

export const requestId = createMiddleware<ApiContext>(async (c, next) => {
  const now = Date.now();
  c.set("now", now);
  c.set("requestId", `req_${uuidv7(now)}`);
  await next();
  c.res.headers.set("X-Request-Id", c.get("requestId"));
});
