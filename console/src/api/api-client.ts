// The console's client, whose types are generated from the OpenAPI document.
import createClient from "openapi-fetch";
import { ask, CONSOLE_HEADER } from "./connection.ts";
import { ApiFailure } from "./failure.ts";
import type { paths } from "./schema.ts";

export const api = createClient<paths>({
  baseUrl: window.location.origin,
  headers: CONSOLE_HEADER,
  fetch: ask,
});

/** Returns the body of a successful answer. Throws an ApiFailure for any other. */
export async function unwrap<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiFailure(response, error);
  return data as Data;
}
