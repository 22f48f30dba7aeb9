// Fakes DNS for a few names, and webhook receivers whose answers a test chooses. The fake replaces
// globalThis.fetch until vi.restoreAllMocks().
import { Buffer } from "node:buffer";
import { decode } from "dns-packet";
import { vi } from "vitest";
import { dnsReply } from "../../unit/resources/domains/outside.ts";
import { checkDelivery, type ReceivedRequest } from "../delivery-harness.ts";
import { deliverAll, EGRESS_URL } from "./fake-egress.ts";

/** A public address, which no test calls. */
export const PUBLIC_ADDRESS = "93.184.216.34";

export class FakeReceiver {
  /** Maps each host name to its IPv4 and IPv6 addresses. Any other name is NXDOMAIN. */
  readonly names: Record<string, readonly string[]> = { "hooks.example.com": [PUBLIC_ADDRESS] };
  /** Maps a host name to the record types for which DNS answers SERVFAIL. */
  readonly failing: Record<string, readonly string[]> = {};
  readonly received: ReceivedRequest[] = [];
  answer: (request: Request) => Response | Promise<Response> = () => new Response("ok");

  /**
   * Replaces fetch by this receiver. `beside`: true if requests to hosts below `.test`, such as the
   * gateway, go on to the fake that was installed before.
   */
  install(beside = false): this {
    const before = vi.isMockFunction(globalThis.fetch)
      ? vi.mocked(globalThis.fetch).getMockImplementation()
      : undefined;
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const request = new Request(input, init);
      const { pathname, hostname } = new URL(request.url);
      if (pathname === "/dns-query") return this.#resolve(request);
      if (!hostname.endsWith(".test")) return this.#receive(request);
      return beside && before ? before(request) : surroundings(request);
    });
    return this;
  }

  /** Returns the only request that the receiver got. Throws if it got none or several. */
  get only(): ReceivedRequest {
    const [one] = this.received;
    if (!one || this.received.length > 1)
      throw new Error(`${this.received.length} requests were received`);
    return one;
  }

  async #receive(request: Request): Promise<Response> {
    const { url, method, headers, redirect } = request;
    const received = {
      url,
      method,
      headers: Object.fromEntries(headers),
      body: await request.clone().text(),
      redirect,
    };
    await checkDelivery(received);
    this.received.push(received);
    return this.answer(request);
  }

  async #resolve(request: Request): Promise<Response> {
    const [question] = decode(Buffer.from(await request.arrayBuffer())).questions ?? [];
    if (!question || (question.type !== "A" && question.type !== "AAAA"))
      return new Response(null, { status: 400 });
    const { name, type } = question;
    if (this.failing[name]?.includes(type)) return dnsReply(2, [], name, type);
    const all = this.names[name];
    const ofFamily = (all ?? []).filter((address) => address.includes(":") === (type === "AAAA"));
    const answers = ofFamily.map((data) => ({ name, type, ttl: 60, data }) as const);
    return dnsReply(all ? 0 : 3, answers, name, type);
  }
}

/**
 * Answers as if a gateway and a DNS provider accepted everything. A ledger or a job of an earlier
 * test file may still wake up and call them.
 */
function surroundings(request: Request): Response | Promise<Response> {
  return request.url === EGRESS_URL
    ? deliverAll(request)
    : Response.json({ success: true, errors: [], result: {} });
}
