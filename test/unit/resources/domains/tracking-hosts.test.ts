// Tests how tracking hosts get their certificate, and how verification and each sweep check that
// the hosts are served (src/resources/domains/tracking-hosts).
import { describe, expect, it } from "vitest";
import { findTracking } from "../../../../src/resources/domains/domain-lookups.ts";
import {
  answerProbe,
  probeHost,
} from "../../../../src/resources/domains/tracking-hosts/host-probe.ts";
import { countHosts, findHost } from "../../../../src/resources/domains/tracking-hosts/store.ts";
import { sweepTrackingHosts } from "../../../../src/resources/domains/tracking-hosts/host-sweep.ts";
import { releaseHost } from "../../../../src/resources/domains/tracking-hosts/release-host.ts";
import { HOUR_MS } from "../../../../src/limits.ts";
import { call, type DomainJson, domainOf, env, newTeam, settings } from "./calls.ts";
import { outsideOfEachTest } from "./outside.ts";
import { publishDomain } from "./published-domain.ts";

const outside = outsideOfEachTest();
const HOSTNAMES = "/client/v4/zones/zone-for-tests/custom_hostnames";
const swept = { ...env, TRACKING_HOSTS: "custom_hostnames" } as typeof env;

/** Plays Cloudflare: the API of custom hostnames, and the front that passes requests on. */
class Front {
  readonly statusOf = new Map<string, string>();
  readonly calls: string[] = [];
  /** Replaces the API's answers. */
  refusal: Response | null = null;
  isServing = true;

  install(): this {
    outside.onApi = (request) => this.#answer(request);
    return this;
  }

  async #answer(request: Request): Promise<Response | undefined> {
    const { hostname, pathname, searchParams } = new URL(request.url);
    if (pathname.startsWith("/h/")) return this.#serve(hostname, pathname.slice(3));
    if (!pathname.startsWith(HOSTNAMES)) return undefined;
    this.calls.push(`${request.method} ${pathname.slice(HOSTNAMES.length)}`);
    if (this.refusal) return this.refusal.clone();
    const ok = (result: unknown) => Response.json({ success: true, result });
    if (request.method === "POST") {
      const { hostname: name } = await request.json<{ hostname: string }>();
      this.statusOf.set(name, "pending_validation");
      return ok(this.#shown(name));
    }
    const [name = ""] = pathname.slice(HOSTNAMES.length + 1).split("?");
    if (request.method === "DELETE") return ok({ id: this.statusOf.delete(name.slice(3)) && name });
    const asked = searchParams.get("hostname") ?? "";
    return ok(this.statusOf.has(asked) ? [this.#shown(asked)] : []);
  }

  #shown(name: string): object {
    return { id: `id-${name}`, hostname: name, ssl: { status: this.statusOf.get(name) } };
  }

  async #serve(host: string, token: string): Promise<Response> {
    if (this.statusOf.get(host) !== "active") throw new TypeError("TLS handshake failed");
    const answer = this.isServing ? await answerProbe(settings.signingKey, host, token) : null;
    return answer === null ? new Response("<html>", { status: 404 }) : new Response(answer);
  }
}

/** Makes a domain with tracking and published records, and the front of its host. */
async function trackedDomain(team = newTeam()) {
  const front = new Front().install();
  const { domain, name } = await publishDomain(outside, team);
  const body = { tracking: { clicks_enabled: true, subdomain: "track" } };
  const patched = await domainOf(call(team, "PATCH /v1/domains/:id", { id: domain.id, body }));
  outside.publish(name, patched.tracking.dns_records);
  const host = `track.${name}`;
  const verify = async (): Promise<DomainJson["tracking"]> =>
    (await domainOf(call(team, "POST /v1/domains/:id/verify", { id: domain.id, ...CUSTOM })))
      .tracking;
  return { front, team, id: domain.id, host, verify };
}

const CUSTOM = { trackingHosts: "custom_hostnames" } as const;
const at = (hours: number): number => Date.now() + hours * HOUR_MS;

describe("a tracking host", () => {
  it("is used only after its certificate is active and a request to it reaches the service", async () => {
    const { front, id, host, verify } = await trackedDomain();
    const pending = {
      status: "pending",
      verification_failure: { code: "tracking_certificate_pending" },
    };
    expect(await verify()).toMatchObject(pending);
    expect(await findTracking(env, id)).toBeNull();
    front.statusOf.set(host, "active");
    front.isServing = false;
    expect(await verify()).toMatchObject({
      status: "pending",
      verification_failure: {
        code: "tracking_not_served",
        message: expect.stringContaining("HTTP 404") as string,
      },
    });
    front.isServing = true;
    expect(await verify()).toMatchObject({ status: "verified", verification_failure: null });
    expect(await findTracking(env, id)).toMatchObject({ host });
    expect(front.calls.filter((one) => one.startsWith("POST"))).toEqual(["POST "]);
  });

  it.each([
    ["does not answer", new Response("gateway timeout", { status: 504 }), "HTTP 504"],
    [
      "has no room for another name",
      Response.json(
        { success: false, errors: [{ code: 1405, message: "Quota exceeded" }] },
        { status: 403 },
      ),
      "1405: Quota exceeded",
    ],
  ])("stays pending with the API's own words while the API %s", async (_, refusal, words) => {
    const { front, verify } = await trackedDomain();
    front.refusal = refusal;
    expect(await verify()).toMatchObject({
      status: "pending",
      verification_failure: {
        code: "tracking_certificate_pending",
        message: expect.stringContaining(words) as string,
      },
    });
  });

  it("belongs to the first domain that was verified for it, until that domain is deleted", async () => {
    const first = await trackedDomain();
    first.front.statusOf.set(first.host, "active");
    expect(await first.verify()).toMatchObject({ status: "verified" });
    await env.DB.prepare("UPDATE tracking_hosts SET domain_id = ?1 WHERE host = ?2")
      .bind((await trackedDomain()).id, first.host)
      .run();
    first.front.install();
    const taken = { status: "pending", verification_failure: { code: "tracking_host_taken" } };
    expect(await first.verify()).toMatchObject(taken);
    await env.DB.prepare("UPDATE tracking_hosts SET domain_id = 'domain_gone' WHERE host = ?1")
      .bind(first.host)
      .run();
    expect(await first.verify()).toMatchObject({ status: "verified" });
  });

  it("is not used after a sweep that finds it unserved, until a sweep finds it served again", async () => {
    const { front, id, host, verify } = await trackedDomain();
    front.statusOf.set(host, "active");
    await verify();
    front.statusOf.set(host, "expired");
    await sweepTrackingHosts(swept, at(1));
    expect(await findTracking(env, id)).toBeNull();
    expect((await countHosts(env.DB)).broken).toBeGreaterThanOrEqual(1);
    front.statusOf.set(host, "active");
    await sweepTrackingHosts(swept, at(2));
    expect(await findTracking(env, id)).toMatchObject({ host });
  });

  it("is released with its domain, if the service made its custom hostname", async () => {
    const { front, team, id, host, verify } = await trackedDomain();
    await verify();
    expect(await releaseHost(env, settings, host)).toBeNull();
    expect(front.statusOf.has(host)).toBe(true);
    await call(team, "DELETE /v1/domains/:id", { id });
    front.refusal = new Response("", { status: 500 });
    expect(await releaseHost(env, settings, host)).toBe("HTTP 500");
    front.refusal = null;
    expect(await releaseHost(env, settings, host)).toBeNull();
    expect(front.statusOf.has(host)).toBe(false);
    expect(await findHost(env.DB, host)).toBeNull();
  });

  it("keeps a custom hostname that the operator made by hand", async () => {
    const { front, team, id, host, verify } = await trackedDomain();
    front.statusOf.set(host, "active");
    await verify();
    await call(team, "DELETE /v1/domains/:id", { id });
    expect(await releaseHost(env, settings, host)).toBeNull();
    expect(front.statusOf.get(host)).toBe("active");
  });

  it("counts as served only if this service itself answers for exactly this host", async () => {
    const { front, host } = await trackedDomain();
    front.statusOf.set(host, "active");
    expect(await probeHost(settings, host)).toBeNull();
    expect(await probeHost({ signingKey: "another service's key" }, host)).toContain("HTTP 404");
    expect(await answerProbe(settings.signingKey, host, "AAAA")).toBeNull();
  });
});
