// Resend's endpoints of the log of requests (docs/from-resend.md §Logs), translated to Postern's.
import type { JsonObject } from "../../../mail/accept/fields.ts";
import type { LoggedRequest } from "../../../resources/requests/wire.ts";
import { bareId, idSegment } from "../bare-ids.ts";
import { serveList } from "../lists.ts";
import type { OwnRequest, ResendEndpoint } from "../resend-endpoint.ts";

const PATH = "/v1/requests";
/**
 * The path that is shown for a request to no endpoint, because Resend's type does not allow null.
 */
const NO_ENDPOINT = "/*";

export const logEndpoints: readonly ResendEndpoint[] = [
  {
    method: "GET",
    path: "/logs",
    handle: (request, own) =>
      serveList<LoggedRequest>(request, own, {
        path: PATH,
        find: (id) => own.askUnless<LoggedRequest>(404, requestFor(id)),
        present: toResendLog,
      }),
  },
  {
    method: "GET",
    path: "/logs/:id",
    async handle({ params }, own) {
      const logged = await own.ask<LoggedRequest>(requestFor(params["id"] ?? ""));
      const { error_type: name, fields } = logged;
      return {
        object: "log",
        ...toResendLog(logged),
        request_body: null,
        response_body: name === null ? null : { name, fields },
      };
    },
  },
];

function requestFor(id: string): OwnRequest {
  return { method: "GET", path: `${PATH}/${idSegment("req", id)}` };
}

function toResendLog(logged: LoggedRequest): JsonObject {
  return {
    id: bareId(logged.id),
    created_at: logged.created_at,
    endpoint: logged.route ?? NO_ENDPOINT,
    method: logged.method,
    response_status: logged.status,
    user_agent: logged.user_agent,
  };
}
