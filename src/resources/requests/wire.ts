// The schemas of the log of requests (contract.md §Log of requests).
import * as z from "zod";
import type { RequestFilters, RequestRow } from "../../rpc/request-log-calls.ts";
import { Moment } from "../events/wire.ts";

export const LoggedRequest = z
  .object({
    id: z.string().describe("The request's id, as in its response's `X-Request-Id`."),
    created_at: z.iso.datetime(),
    method: z.string(),
    route: z
      .string()
      .nullable()
      .describe(
        "The endpoint, such as `/v1/email/{id}`. Null: no endpoint has the request's path.",
      ),
    target: z
      .string()
      .nullable()
      .describe("The id in the path, or the address in it as `j…@example.net`."),
    status: z.int(),
    error_type: z.string().nullable().describe("The type of the error. Null: no error."),
    fields: z.array(z.string()).describe("The paths of the members that were refused."),
    key_id: z.string(),
    duration_ms: z.int(),
    user_agent: z.string().nullable(),
    count: z
      .int()
      .describe("How many requests had the same method, route, status, error type and fields."),
    first_at: z.iso.datetime().describe("When the first of them came."),
    is_sample: z
      .boolean()
      .describe("True: the request succeeded. One in a hundred such requests is kept."),
  })
  .meta({ id: "LoggedRequest" });

export type LoggedRequest = z.output<typeof LoggedRequest>;

export const RequestQuery = z.object({
  status: z
    .string()
    .regex(/^[1-5](?:\d\d|xx)$/, "must be a status such as 422, or a class such as 4xx")
    .optional()
    .describe("A status such as `422`, or a class such as `4xx`."),
  route: z.string().optional().describe("An endpoint, such as `/v1/email/{id}`."),
  key: z.string().optional().describe("The id of an API key."),
  since: Moment.optional(),
});

export function toRequestFilters(query: z.output<typeof RequestQuery>): RequestFilters {
  const { status, route, key: keyId, since } = query;
  return { status, route, keyId, since };
}

export function toLoggedRequest({ kind, count, firstAt, request }: RequestRow): LoggedRequest {
  return {
    id: request.id,
    created_at: new Date(request.at).toISOString(),
    method: kind.method,
    route: kind.route,
    target: request.target,
    status: kind.status,
    error_type: kind.error,
    fields: [...kind.fields],
    key_id: request.keyId,
    duration_ms: request.ms,
    user_agent: request.agent,
    count,
    first_at: new Date(firstAt).toISOString(),
    is_sample: kind.status < 400,
  };
}
