// Tests how the service onboards domains to Cloudflare's Email Service (decision 0026).
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../src/env.ts";
import { consumeDnsCleanup } from "../../../../src/resources/domains/cleanup-consumer.ts";
import { findOtherMail } from "../../../../src/resources/domains/onboarding/other-mail.ts";
import { dnsResolver } from "../../../../src/resources/domains/resolver.ts";
import { listOnboardedNames } from "../../../../src/resources/domains/onboarding/store.ts";
import type { DnsJob } from "../../../../src/rpc/queue-jobs.ts";
import { consumeBatch } from "../../../support/fakes/queue-batch.ts";
import { call, domainOf, env, newTeam } from "./calls.ts";
import { dnsReply, outsideOfEachTest } from "./outside.ts";
import { publishDomain } from "./published-domain.ts";
import { EMAIL_API_TOKEN, refusal, SendingAccount } from "./sending-account.ts";
import { everyCore } from "../../../support/every-core.ts";

const outside = outsideOfEachTest();
const DONE = { acked: ["m0"], retried: [] };
const AGAIN = { acked: [], retried: ["m0"] };

let account: SendingAccount;
let jobs: DnsJob[] = [];
const DNS_CLEANUP = { send: async (job: DnsJob) => void jobs.push(job) } as unknown as Queue;
const withToken: Env = { ...env, EMAIL_API_TOKEN, DNS_CLEANUP };

beforeEach(() => {
  account = SendingAccount.at(outside);
  jobs = [];
});

const published = () => publishDomain(outside, newTeam("cloudflare"));
type Published = Awaited<ReturnType<typeof published>>;

const verify = ({ team, domain }: Published, now = Date.now()) =>
  domainOf(
    call(team, "POST /v1/domains/:id/verify", {
      id: domain.id,
      now,
      env: withToken,
      emailApiToken: EMAIL_API_TOKEN,
    }),
  );
const remove = ({ team, domain }: Published) =>
  call(team, "DELETE /v1/domains/:id", { id: domain.id, env: withToken });

/** Consumes the queued jobs that are about onboarding, each once, in order. */
async function work() {
  const queued = jobs.filter((job) => !("recordIds" in job));
  jobs = [];
  return consumeBatch("postern-dns-cleanup", queued, (batch) =>
    consumeDnsCleanup(batch, withToken),
  );
}

describe("a domain of the Email Service, with EMAIL_API_TOKEN", () => {
  it("is onboarded after its own records are verified, and its deletion ends the onboarding", async () => {
    const zone = await published();
    const { name, domain } = zone;
    outside.remove("CNAME", `bounces.${name}`);
    expect((await verify(zone)).courier_onboarding).toBeNull();
    expect(jobs).toEqual([]);
    outside.publish(name, domain.dns_records.slice(0, 1));
    const asked = await verify(zone);
    expect(jobs).toEqual([{ onboard: name, domainId: domain.id }]);
    expect(asked.courier_onboarding).toMatchObject({ status: "waiting", code: null });
    expect(asked.verification_failure).toEqual({
      code: "mx_missing",
      message:
        `cf-bounce.${name} has no MX record. The service asks Cloudflare to onboard ${name}. ` +
        "Verify the domain again in a minute.",
    });
    await verify(zone);
    expect(jobs).toHaveLength(1);

    expect(await work()).toEqual(DONE);
    expect(account.sending).toMatchObject([{ name, enabled: true }]);
    expect(account.subscriptions).toMatchObject([
      {
        source: { type: "email.sending", zone_id: `zone-${name}`, domain: name },
        destination: { type: "queues.queue", queue_id: "queue1" },
        enabled: true,
      },
    ]);
    expect((await verify(zone)).courier_onboarding?.status).toBe("done");
    outside.onboard(name);
    expect((await verify(zone)).status).toBe("verified");

    // The deletion of a team uses this list too.
    expect(await listOnboardedNames(env, zone.team.team.id)).toEqual([name]);
    await remove(zone);
    expect(await work()).toEqual(DONE);
    expect([account.sending, account.subscriptions]).toEqual([[], []]);
  });

  it("is onboarded when it was verified before its team had the Email Service, and stays verified", async () => {
    const zone = await publishDomain(outside);
    expect((await verify(zone)).status).toBe("verified");
    const moved = {
      ...zone,
      team: { ...zone.team, team: { ...zone.team.team, courier: "cloudflare" as const } },
    };
    expect(await verify(moved)).toMatchObject({
      status: "verified",
      verification_failure: null,
      courier_onboarding: { status: "waiting" },
    });
    expect(jobs).toHaveLength(1);
  });

  it("keeps an onboarding that another team's domain needs, or that the service did not make", async () => {
    const [first, second] = [await published(), await published()];
    account.sending.push({ name: second.name, tag: "theirs", enabled: true });
    await verify(first);
    await verify(second);
    expect(await work()).toEqual({ acked: ["m0", "m1"], retried: [] });
    const other = newTeam("cloudflare");
    const twin = await domainOf(call(other, "POST /v1/domains", { body: { name: first.name } }));
    await remove(first);
    await remove(second);
    expect(await work()).toEqual(AGAIN);
    expect(account.sending).toHaveLength(2);
    await remove({ ...first, team: other, domain: twin });
    expect(await work()).toEqual(DONE);
    expect(account.sending.map(({ tag }) => tag)).toEqual(["theirs"]);
  });

  it("is not onboarded if it is deleted meanwhile", async () => {
    const [early, late] = [await published(), await published()];
    await verify(early);
    await remove(early);
    expect(await work()).toEqual(DONE);
    expect(account.changes).toEqual([]);

    await verify(late);
    account.fault = async (made) => {
      if (made.startsWith("POST /zones"))
        await everyCore.prepare("DELETE FROM domains WHERE id = ?").bind(late.domain.id).run();
      return undefined;
    };
    expect(await work()).toEqual(DONE);
    expect(jobs).toEqual([{ offboard: late.name }]);
    expect(await work()).toEqual(DONE);
    expect([account.sending, account.subscriptions]).toEqual([[], []]);
  });
});

describe("other mail of a domain", () => {
  const resolver = dnsResolver(env.DNS_RESOLVER_URL ?? "");
  const at = "mail.example";
  it.each([
    ["MX", "mx.google.com", "", "others"],
    ["MX", "mx.google.com", "v=DMARC1; p=none", "none"],
    ["MX", "mx.google.com", "v=spf1", "others"],
    ["MX", "route1.mx.cloudflare.net", "", "none"],
    ["MX", ".", "", "none"],
    ["TXT", "v=spf1 include:_spf.google.com ~all", "", "others"],
    ["TXT", "v=spf1 ip4:192.0.2.1 include:_spf.mx.cloudflare.net ~all", "", "others"],
    ["TXT", "v=spf1 +all", "", "others"],
    ["TXT", "v=spf1 include:_spf.mx.cloudflare.net ~all", "", "none"],
    ["TXT", "v=spf1 -all", "", "none"],
    ["TXT", "google-site-verification=abc", "", "none"],
  ] as const)("with %s %s and the DMARC record '%s' is: %s", async (type, data, dmarc, kind) => {
    outside.zone.push({ type, name: at, data });
    if (dmarc !== "") outside.zone.push({ type: "TXT", name: `_dmarc.${at}`, data: dmarc });
    expect((await findOtherMail(resolver, at)).kind).toBe(kind);
  });

  it("prevents the onboarding, and verification says what the team and the operator can do", async () => {
    const zone = await published();
    outside.zone.push({ type: "MX", name: zone.name, data: "mx.google.com" });
    const { verification_failure: failure, courier_onboarding: onboarding } = await verify(zone);
    expect([jobs, onboarding]).toEqual([[], null]);
    expect(failure?.message).toMatch(
      /^cf-bounce\.\S+ has no MX record\. Others use \S+ for mail \(MX mx\.google\.com\).*Publish a DMARC record.*Ask the operator to onboard exactly/,
    );
  });

  it("is looked for again by the job, which waits if DNS fails", async () => {
    const zone = await published();
    await verify(zone);
    const [job] = jobs;
    outside.onQuestion = (asked, type) =>
      asked === zone.name && type === "MX" ? dnsReply(2, [], asked, type) : undefined;
    expect(await work()).toEqual(AGAIN);
    outside.onQuestion = () => undefined;
    outside.zone.push({ type: "MX", name: zone.name, data: "mx.google.com" });
    if (job) jobs.push(job);
    expect(await work()).toEqual(DONE);
    expect(account.calls).toEqual([]);
    expect((await verify(zone)).courier_onboarding?.status).toBe("refused");
  });
});

describe("Cloudflare's API", () => {
  const posts = /^POST \/zones/;
  it.each([
    [
      "refuses a right",
      /^GET \/accounts/,
      () => refusal(403, 10_000, "Authentication error."),
      "10000",
      "refused",
    ],
    ["refuses the name", posts, () => refusal(400, 2_007, "too many"), "2007", "refused"],
    ["has too many calls", posts, () => refusal(429, 971), "971", "waiting"],
    ["fails", posts, () => new Response("down", { status: 503 }), null, "waiting"],
    ["answers nonsense", posts, () => new Response("<html>"), null, "waiting"],
    ["is away", posts, () => Promise.reject(new TypeError("fetch failed")), null, "waiting"],
    [
      "does not know the new domain yet",
      /^POST \/accounts/,
      () => refusal(404, 10_009),
      "10009",
      "waiting",
    ],
  ] as const)(
    "%s: the job ends or is tried again, and verification says why",
    async (_how, at, fault, code, status) => {
      vi.spyOn(console, "error").mockImplementation(() => undefined);
      const zone = await published();
      await verify(zone);
      const [job] = jobs;
      account.fault = (made) => (at.test(made) ? fault() : undefined);
      expect(await work()).toEqual(status === "refused" ? DONE : AGAIN);
      const { courier_onboarding: onboarding, verification_failure: failure } = await verify(zone);
      expect(onboarding).toMatchObject({ status, code });
      expect(failure?.message).toContain(onboarding?.message);
      expect(failure?.message.includes("Ask the operator")).toBe(status === "refused");
      if (status === "refused") expect(account.sending).toEqual([]);
      account.fault = () => undefined;
      if (status === "refused") await verify(zone, Date.now() + 61_000);
      else if (job) jobs.push(job);
      expect(await work()).toEqual(DONE);
      expect((await verify(zone)).courier_onboarding?.status).toBe("done");
      await remove(zone);
      await work();
      expect(account.sending).toEqual([]);
    },
  );

  it("names the operator if the name is in no zone, or its sending is switched off", async () => {
    const [outsideZones, off] = [await published(), await published()];
    account.sending.push({ name: off.name, tag: "t", enabled: false });
    await verify(off);
    await work();
    account.hasZones = false;
    await verify(outsideZones);
    await work();
    for (const [zone, says] of [
      [outsideZones, "is in no zone"],
      [off, "switched its sending off"],
    ] as const) {
      const message = (await verify(zone)).verification_failure?.message;
      expect(message).toContain(says);
      expect(message).toContain("Ask the operator");
    }
    expect(account.changes).toEqual([]);
  });
});
