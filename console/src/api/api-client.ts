// The console's API client, with the methods of the npm package. It sends the console's session
// instead of an API key. Only connection.ts repeats requests.
import { Resources } from "../../../packages/postern/src/generated/resources.ts";
import {
  type ApiCall,
  bodyOf,
  readBody,
  searchOf,
} from "../../../packages/postern/src/request/api-call.ts";
import { ask, CONSOLE_HEADER } from "./connection.ts";
import { ApiFailure } from "./failure.ts";

type ConsoleCall = Omit<ApiCall, "options"> & Partial<Pick<ApiCall, "options">>;

/**
 * Returns a successful response with its body unread. Throws an ApiFailure for any other response.
 */
export async function fetchResponse(call: ConsoleCall): Promise<Response> {
  const { method, path, query, body, type = "application/json", options } = call;
  const response = await ask(path + searchOf(query), {
    method,
    headers: {
      ...CONSOLE_HEADER,
      ...(body !== undefined && { "Content-Type": type }),
      ...(options?.ifMatch !== undefined && { "If-Match": options.ifMatch }),
    },
    ...(body !== undefined && {
      body: call.type === undefined ? JSON.stringify(body) : (body as BodyInit),
    }),
    ...(options?.signal && { signal: options.signal }),
    // `keepalive`: the browser sends the request even if the person leaves the page. Browsers limit
    // the body of such a request, so only requests without a body use it.
    ...(method !== "GET" && body === undefined && { keepalive: true }),
  });
  if (response.ok) return response;
  throw new ApiFailure(response, await response.json().catch(() => null));
}

export async function callService<Result>(call: ConsoleCall): Promise<Result> {
  const response = await fetchResponse(call);
  call.options?.onResponse?.(response);
  return bodyOf(response, await readBody(response)) as Result;
}

export const api = new Resources(callService);
