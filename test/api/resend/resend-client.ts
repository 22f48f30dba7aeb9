// Resend's official client library, unmodified. It sends its requests to the worker's own fetch
// handler.
import { exports } from "cloudflare:workers";
import { Resend } from "resend";
import { vi } from "vitest";

const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;
const BASE = "https://api.postern.test";
/** A link to a file of a reply, on the deployment's public host. */
const RECEIVED = /^https:\/\/[^/]+\/r\//;

/**
 * Returns a Resend client with that API key for one test. Its requests to the service reach the
 * worker. Its requests to other hosts reach the fakes that were installed before.
 */
export function resendClient(key: string): Resend {
  const outside =
    (vi.isMockFunction(globalThis.fetch) && vi.mocked(globalThis.fetch).getMockImplementation()) ||
    globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) =>
    typeof input === "string" && (input.startsWith(BASE) || RECEIVED.test(input))
      ? worker.fetch(input, init)
      : outside(input, init),
  );
  return new Resend(key, { baseUrl: BASE });
}
