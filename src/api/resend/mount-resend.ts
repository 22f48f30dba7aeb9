// Mounts Resend's paths at the root of the host: the paths in the table, and the paths of features
// that Postern does not have. An unknown path below one of these paths gets an error in Resend's
// form.
import type { Handler, Hono } from "hono";
import { REQUEST_BODY_BYTES } from "../../limits.ts";
import { refuse, type RefusalError } from "../../refusal.ts";
import type { ApiContext } from "../api-context.ts";
import { wrapHandler } from "../middleware.ts";
import { unsupportedPaths } from "./unsupported-paths.ts";
import { resendEndpoints } from "./resend-table.ts";
import { withResendErrors, serveResend } from "./serve-resend.ts";

export function mountResend(app: Hono<ApiContext>): void {
  for (const [path, body] of unsupportedPaths)
    app.all(path, withResendErrors(page(() => new Response(body, { status: 404 }))));
  for (const endpoint of resendEndpoints)
    app.on(
      endpoint.method,
      endpoint.path,
      serveResend(endpoint, (request, c) => app.fetch(request, c.env, c.executionCtx)),
    );
  const allowed = Map.groupBy(resendEndpoints, ({ path }) => path);
  for (const [path, endpoints] of allowed) {
    const allow = endpoints.map(({ method }) => method);
    app.all(
      path,
      refusing(() => refuse("method_not_allowed", { allow })),
    );
  }
  for (const root of new Set(resendEndpoints.map(({ path }) => path.split("/")[1])))
    app.all(
      `/${root}/*`,
      refusing(({ req: { method, path } }) =>
        refuse("no_such_endpoint", { method, path, nearest: undefined }),
      ),
    );
}

function refusing(why: (c: Parameters<Handler<ApiContext>>[0]) => RefusalError) {
  return withResendErrors(page((c) => Promise.reject(why(c))));
}

/** Makes the handler of a path without an endpoint. The request's body is counted, but not kept. */
function page(serve: Handler<ApiContext>): Handler<ApiContext> {
  return wrapHandler(serve, { largest: REQUEST_BODY_BYTES, judges: [] });
}
