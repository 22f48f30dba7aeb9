// The console's only way to the service: a client whose types are generated from the OpenAPI
// document. The session is a cookie that scripts can't read; the header tells the service that the
// console itself makes the request.
import createClient from "openapi-fetch";
import { ApiFailure } from "./failure.ts";
import type { paths } from "./schema.ts";

export const CONSOLE_HEADER = { "X-Postern-Console": "1" } as const;

export const api = createClient<paths>({
  baseUrl: window.location.origin,
  headers: CONSOLE_HEADER,
});

/** Returns the body of a successful answer. Throws an ApiFailure for any other. */
export async function unwrap<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiFailure(response, error);
  return data as Data;
}
