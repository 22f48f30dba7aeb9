// Sends the worker's own https requests through the front, which knows the local DNS and trusts its
// own certificates. It runs in workerd, in the worker's isolate. The code in src does not know it.

/** The header with the URL of the worker's request. */
export const URL_HEADER = "x-front-url";
/** The response header that says why the front made no connection. */
export const FAILED_HEADER = "x-front-failed";

/** Replaces the isolate's `fetch`. `front` is the front's URL. */
export function leadThroughFront(front: string): void {
  const direct = globalThis.fetch;
  const led: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.startsWith("https:")) return direct(input, init);
    const headers = new Headers(request.headers);
    headers.set(URL_HEADER, request.url);
    const response = await direct(front, {
      method: request.method,
      headers,
      body: request.body,
      redirect: "manual",
      signal: init?.signal ?? null,
    });
    const failed = response.headers.get(FAILED_HEADER);
    if (failed !== null) throw new TypeError(failed);
    return response;
  };
  globalThis.fetch = led;
}
