// Tests `npm run setup` with obstacles, against doubles of all services that it calls. An
// interrupted run can be continued from any point. Set-up names the DNS records of other owners and
// leaves them alone, and never loses the encryption key.
import { describe, expect, it } from "vitest";
import type { AccountFault } from "../../tools/dev/account/cloudflare-account.ts";
import {
  continueFinished,
  expectRun,
  expectFinished,
  harness,
  RETURN_PATH,
  useSetup,
} from "./finished-setup.ts";
import { ZONE } from "./test-zone.ts";

useSetup();

const sending = (result: string) => ({ "sending domain": result, message: result });

describe("an interrupted run", () => {
  const faults: AccountFault[] = [
    "queues create postern-dns-cleanup",
    "d1 migrations apply DB",
    "d1 create postern-shard-0",
    "secret bulk",
    "deploy --var",
  ].flatMap((at) => [
    { at, kind: "kill_before" as const },
    { at, kind: "kill_after" as const },
  ]);

  it("continues after a kill at any command", async () => {
    const seen: (Record<string, string> | null)[] = [];
    for (const fault of faults) {
      harness.change({ fault });
      expect([fault, (await harness.run()).code]).toEqual([fault, null]);
      seen.push(harness.account.secrets);
    }
    expect((await harness.run()).code).toBe(0);
    await expectFinished(harness);
    // Later uploads must not replace the secrets of the first upload.
    const uploads = seen.filter((secrets) => secrets !== null && Object.keys(secrets).length > 0);
    expect(uploads.length).toBeGreaterThan(1);
    expect(new Set(uploads.map((secrets) => secrets?.["KEY_ENCRYPTION_KEY"]))).toEqual(
      new Set([harness.account.secrets?.["KEY_ENCRYPTION_KEY"]]),
    );
  });

  it("continues after every published record", async () => {
    await harness.dns.faults({ api: { status: 500, after: 1, method: "POST" } });
    const failed: string[] = [];
    for (let runs = 0; runs < 9; runs += 1) {
      const { code, text } = await harness.run();
      const publishing =
        /FAILED +(?:records|sending domain|tracking hosts) +publishing (\w+ \S+): .*HTTP 500/;
      failed.push(publishing.exec(text)?.[1] ?? `exit ${code}`);
      await harness.dns.faults({ api: { status: 500, after: 1, method: "POST" } });
    }
    const service = ["TXT *.return-path.post", "CNAME *.track.post", "MX feedback.post", "MX post"];
    const ofDomain = ["CNAME bounces", "CNAME ps1._domainkey", "CNAME ps2._domainkey"];
    const published = [...service, ...ofDomain, "AAAA track.post"];
    expect(failed).toEqual([...published.map((record) => `${record}.example.com`), "exit 0"]);
    await expectFinished(harness);
  });

  it("makes a team anew if its key was lost, and never makes a second team", async () => {
    harness.worker.loses = "POST /admin/teams";
    await expectRun(1, /FAILED +team +POST/);
    const [lost] = harness.worker.teams;
    await expectRun(0, "created again");
    await expectFinished(harness);
    expect(harness.worker.teams[0]?.id).not.toBe(lost?.id);
  });

  it("changes no team of the same name that it did not create", async () => {
    const theirs = harness.worker.addTeam("First team", new Date("2026-01-01T00:00:00Z"));
    const { code, text, steps } = await harness.run();
    expect(code).toBe(0);
    expect(harness.worker.teams).toEqual([theirs]);
    expect(text).toContain("its key is not known here (set API_KEY");
    expect(steps).toMatchObject({ ...sending("skipped"), team: "already" });
    expect((await harness.run({ API_KEY: theirs.key })).steps).toMatchObject(sending("done"));
  });

  it("sends the same message again after a lost answer, and the worker recognises the repetition", async () => {
    harness.worker.loses = "POST /v1/email";
    const lost = await harness.run();
    expect([lost.code, lost.steps["message"]]).toEqual([1, "FAILED"]);
    harness.worker.delivers = false;
    const { text } = await harness.run();
    expect(text).toMatch(/FAILED +message +email_.* is not delivered yet \(queued\)/);
    harness.worker.delivers = true;
    expect((await harness.run()).code).toBe(0);
    expect(harness.worker.emails).toHaveLength(1);
  });
});

describe("an obstacle", () => {
  it("is named: several accounts", async () => {
    const accounts = [
      { id: "acc1", name: "One" },
      { id: "acc2", name: "Two" },
    ];
    harness.change({ accounts });
    await expectRun(1, "acc1 (One), acc2 (Two)");
    expect((await harness.run({ CLOUDFLARE_ACCOUNT_ID: "acc2" })).code).toBe(0);
  });

  it.each([
    ["queues list", "queues", "Account · Queues · Edit"],
    ["d1 list", "databases", "Account · D1 · Edit"],
    ["secret list", "secrets", "Account · Workers Scripts · Edit"],
    ["deploy --var", "deploy", "Account · Workers R2 Storage · Edit"],
  ])("is named: wrangler may not %s", async (at, step, permission) => {
    const says = "A request to the Cloudflare API failed.\n  Authentication error [code: 10000]";
    harness.change({ fault: { at, kind: "refuse", says } });
    const failed = new RegExp(`FAILED +${step} .*Authentication error \\[code: 10000\\]`);
    const { text } = await expectRun(1, failed);
    expect(text).toMatch(new RegExp(`→ .*${permission}`));
  });

  it("is named: a DNS token that is invalid, or may not write", async () => {
    const advice = / +→ DNS_API_TOKEN needs the permission Zone · DNS · Edit/.source;
    const refused = RegExp(/FAILED +zone .*Invalid access token \[code: 9109\]\n/.source + advice);
    await expectRun(1, refused, { DNS_API_TOKEN: "wrong" });
    expect(harness.account.queues).toEqual([]);
    await harness.dns.faults({ api: { status: 403, after: 0, method: "POST" } });
    const reading = await harness.run();
    expect(reading.text).toMatch(
      /FAILED +records +publishing MX \*\.return-path\.post\.example\.com: .*HTTP 403.*\n +→ DNS_API_TOKEN needs the permission Zone · DNS · Edit/,
    );
  });

  it("is named: a given zone that does not contain the service domain", async () => {
    const SERVICE_DOMAIN = "post.example.org";
    const given = await harness.run({ SERVICE_DOMAIN, DNS_ZONE_ID: ZONE.id });
    expect(given.text).toContain(
      `the zone ${ZONE.id} is example.com, which does not contain ${SERVICE_DOMAIN}`,
    );
  });

  it("is named and not changed: other records in the place of set-up's", async () => {
    const theirs = [
      ["*.return-path.post.example.com", "MX", "5 mail.other.net"],
      ["*.return-path.post.example.com", "TXT", "v=spf1 include:other.net ~all"],
      ["*.track.post.example.com", "A", "192.0.2.7"],
      ["bounces.example.com", "CNAME", "bounces.other.net"],
    ] as const;
    for (const [name, type, data] of theirs) await harness.dns.put(name, type, data);
    const before = await harness.records();
    await expectRun(
      1,
      "*.return-path.post.example.com has MX 5 mail.other.net already, where MX 10 " +
        "mx.example.com belongs; nothing was overwritten",
    );
    expect(await harness.records()).toEqual(before);
    expect((await harness.run({}, "--dns-conflict=replace")).code).toBe(0);
    await expectFinished(harness);
    for (const [name, type, data] of theirs)
      expect((await harness.records())[name]).not.toContain(`${type} ${data}`);
  });

  it("is kept if the operator says that it has the same purpose", async () => {
    await harness.dns.put("*.track.post.example.com", "A", "192.0.2.7");
    await expectRun(0, "the existing record was kept", {}, "--dns-conflict=keep");
    expect((await harness.records())["*.track.post.example.com"]).toEqual(["A 192.0.2.7"]);
  });

  it("makes set-up ask in a terminal", async () => {
    await continueFinished();
    await harness.dns.put("*.return-path.post.example.com", "TXT", "v=spf1 -all");
    expect((await harness.setup([], {}, ["stop"])).code).toBe(1);
    expect(await harness.returnPath()).toContain("TXT v=spf1 -all");
    expect((await harness.setup([], {}, ["replace"])).code).toBe(0);
    expect(await harness.returnPath()).toEqual(RETURN_PATH);
  });

  it("stays as it is: another owner's record where a record for the service's own mailboxes belongs", async () => {
    const theirs = "5 mail.other.net";
    const names = ["post.example.com", "feedback.post.example.com"];
    for (const name of names) await harness.dns.put(name, "MX", theirs);
    const environment = { POSTMASTER_ADDRESS: "me@example.org", SERVICE_NAME: "Acme-Mail" };
    const { text } = await harness.run(environment, "--dns-conflict=replace");
    expect(text).toMatch(
      /kept +post\.example\.com {2}MX 10 mx\.example\.com \(the existing record was kept\)/,
    );
    const records = await harness.records();
    for (const name of names) expect(records[name]).toEqual([`MX ${theirs}`]);
    expect(harness.variables).toMatchObject(environment);
  });

  it("is left alone: a web record at the public URL's host that the operator keeps", async () => {
    await harness.dns.put("post.example.com", "A", "192.0.2.9");
    expect((await harness.run({}, "--dns-conflict=keep")).code).toBe(0);
    expect(harness.account.deployments.at(-1)?.domains).toEqual([]);
  });

  it("is named before the worker would replace it: a web record at the console's own host", async () => {
    const people = {
      ACCESS_ISSUER: "https://acme.cloudflareaccess.com",
      ACCESS_AUDIENCE: "aud-of-the-console",
      CONSOLE_URL: "https://console.example.com",
    };
    await harness.dns.put("console.example.com", "A", "192.0.2.9");
    await expectRun(1, "console.example.com already has A 192.0.2.9", people);
    const { code, text } = await harness.run(people, "--dns-conflict=replace");
    expect(code).toBe(0);
    expect(text).toContain("; console.example.com becomes the worker's custom domain");
    const hosts = ["post.example.com", "console.example.com"];
    expect(harness.account.deployments.at(-1)?.domains).toEqual(hosts);
    await harness.deploy();
    expect(harness.account.deployments.at(-1)?.domains).toEqual(hosts);
  });
});

describe("the encryption key", () => {
  it("is never overwritten", async () => {
    await continueFinished();
    const key = harness.account.secrets?.["KEY_ENCRYPTION_KEY"];
    await expectRun(
      1,
      "the worker already has another KEY_ENCRYPTION_KEY, and set-up never overwrites it",
      {
        KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      },
    );
    expect(harness.account.secrets?.["KEY_ENCRYPTION_KEY"]).toBe(key);
  });

  it("is not overwritten if the earlier run's file is missing", async () => {
    const theirs = {
      ADMIN_TOKEN: "a".repeat(32),
      GATEWAY_TOKEN: "g",
      SIGNING_KEY: "s".repeat(32),
      KEY_ENCRYPTION_KEY: "theirs",
    };
    harness.change({ secrets: theirs });
    const blind = await harness.run();
    expect(blind.text).toContain("the worker has an ADMIN_TOKEN that is not known here");
    const { code } = await harness.run({
      ADMIN_TOKEN: "a".repeat(32),
      KEY_ENCRYPTION_KEY: "mine",
    });
    expect(code).toBe(0);
    expect(harness.account.secrets).toEqual({ ...theirs, DNS_API_TOKEN: ZONE.token });
  });

  it("is refused before any upload if the worker would refuse it", async () => {
    await expectRun(1, "ADMIN_TOKEN must have at least 32 characters", {
      ADMIN_TOKEN: "a".repeat(31),
    });
    expect(harness.account.secrets).toBeNull();
  });

  it("is not generated anew beside data that another key encrypted", async () => {
    const databases = { "postern-core": ["0000_resources.sql"] };
    harness.change({ databases, sealed: { "postern-core": 4 } });
    await expectRun(
      1,
      "postern-core holds 4 DKIM keys and webhook secrets, encrypted with a " +
        "KEY_ENCRYPTION_KEY that the worker no longer has",
    );
    expect(harness.account.secrets).toBeNull();
    const kept = Buffer.alloc(32, 9).toString("base64");
    expect((await harness.run({ KEY_ENCRYPTION_KEY: kept })).code).toBe(0);
    expect(harness.account.secrets?.["KEY_ENCRYPTION_KEY"]).toBe(kept);
  });
});
