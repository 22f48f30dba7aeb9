// Leads the worker's own https requests through the front, which knows the local DNS and trusts its
// own certificates. It runs in workerd, in the worker's isolate. No code in src knows of it.

/** The header with the URL that the worker asks for. */
export const URL_HEADER = "x-front-url";
/** The header of an answer that says why no connection came about. */
export const FAILED_HEADER = "x-front-failed";

/** Replaces the isolate's `fetch`. `front`: the front's URL. */
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
