// Tests `npm run setup` with the courier `cloudflare`, against doubles of all services that it
// calls. The deployment needs no machine of the operator's, and it receives every event of its
// mail.
import { describe, expect, it } from "vitest";
import { EVENT_TYPES } from "../../src/operator/subscribed-events.ts";
import { newContext } from "../../tools/setup/setup-context.ts";
import { SETTING_PROMPTS, SENDING_DOMAIN } from "../../tools/setup/setting-prompts.ts";
import { settings } from "../../tools/setup/steps/write-settings.ts";
import { queueIdOf } from "../../tools/dev/account/account-api-double.ts";
import type { AccountFault } from "../../tools/dev/account/cloudflare-account.ts";
import {
  continueFinished,
  expectRun,
  expectOnboarded,
  harness,
  useSetup,
} from "./finished-setup.ts";
import { SMALL_ROOT } from "./small-root.ts";
import { startedClock } from "./started-clock.ts";
import { OWN_SUBSCRIPTION, ZONE } from "./test-zone.ts";

useSetup("cloudflare");

/** Removes the answers that the harness gives by default. */
const UNSAID = { SERVICE_DOMAIN: undefined, DNS_API_TOKEN: undefined, SENDING_DOMAIN: undefined };

const writes = () => harness.accountApi.calls.filter((call) => !call.startsWith("GET"));

describe("a first run without a gateway's URL", () => {
  it("leads from an empty account to a verified domain and a delivered message", async () => {
    const { code, text, steps } = await harness.run();
    expect(text).not.toContain("FAILED");
    expect(code).toBe(0);
    await expectOnboarded(harness);
    const done = { "email service": "done", "sending domain": "done", message: "done" };
    expect(steps).toMatchObject(done);
    expect(text).toContain(
      "done     example.com  sending enabled, all 6 types of events go to postern-email-events now",
    );
    expect(text).toContain(
      "Only SMTP submission needs the gateway. The gateway can run with submission alone",
    );
    expect(text).toContain("Next: npm run doctor -- --send <your own address>");
    const records = await harness.records();
    expect([records["post.example.com"], records["feedback.post.example.com"]]).toEqual([
      undefined,
      undefined,
    ]);
    expect(text).toMatch(
      /needed +to get mail to postmaster@ and to fbl@ and in reply: in the dashboard, Email, /,
    );
    expect(text).not.toContain("Still to be done");
    expect(text).not.toContain("login-token");
  });

  it("asks only for what it can't find out", async () => {
    const typed = ["post.example.com", "", "", "", ZONE.token, "", "", ""];
    const { code, text } = await harness.setup([], UNSAID, typed);
    expect(code, text).toBe(0);
    await expectOnboarded(harness, "mail.example.com");
    const asked = [...SETTING_PROMPTS, SENDING_DOMAIN].filter((one) => text.includes(one.text));
    expect(asked.map(({ name }) => name).join(" ")).toBe(
      "SERVICE_DOMAIN PUBLIC_URL OUTBOUND JURISDICTION DNS_API_TOKEN ACCESS_ISSUER TEAM_NAME " +
        "SENDING_DOMAIN",
    );
  });

  it("asks where people sign in only if they do, and keeps the answers for the worker", async () => {
    const people = ["https://acme.cloudflareaccess.com", "aud-of-the-console", "", ""];
    const typed = ["post.example.com", "", "", "", ZONE.token, ...people, "", ""];
    const { code, text } = await harness.setup([], UNSAID, typed);
    expect(code, text).toBe(0);
    expect(harness.account.deployments.at(-1)?.variables).toMatchObject({
      ACCESS_ISSUER: people[0],
      ACCESS_AUDIENCE: people[1],
    });
    expect((await harness.run()).code).toBe(0);
    expect(harness.account.deployments.at(-1)?.variables["ACCESS_ISSUER"]).toBe(people[0]);
  });

  it("sends from a name below the zone, and from the zone's own name if an earlier version did so", async () => {
    const unsaid = { SENDING_DOMAIN: undefined };
    expect((await harness.run(unsaid)).text).toContain("sends from mail.example.com");
    expect((await harness.run(unsaid)).code).toBe(0);
    expect(harness.account.sending.map(({ name }) => name)).toEqual(["mail.example.com"]);
    harness.store({ SENDING_DOMAIN: "" });
    const { text } = await harness.run(unsaid);
    expect(text).toContain("sends from example.com, mail.example.com");
  });

  it("asks before it onboards a name with other mail, and publishes p=none there first", async () => {
    await harness.dns.put("example.com", "MX", ["1 aspmx.l.google.com"]);
    expect((await harness.run()).code).toBe(1);
    expect((await harness.setup([], {}, ["yes"])).code).toBe(0);
    expect((await harness.records())["_dmarc.example.com"]).toEqual(['TXT "v=DMARC1; p=none"']);
    expect(harness.account.sending).toHaveLength(1);
  });

  it("finds the sending domain's zone in the account, even if it is not the service's zone", async () => {
    const other = { id: "f".repeat(32), name: "second.org" };
    harness.change({ zones: [...harness.account.zones, other] });
    const { text } = await harness.run({ SENDING_DOMAIN: "mail.second.org" });
    expect(text).toContain("sends from mail.second.org");
    expect(harness.account.subscriptions.map(({ source }) => source)).toEqual([
      { type: "email.sending", zone_id: other.id, domain: "mail.second.org" },
    ]);
  });

  it("names a domain outside the account's zones, and completes without it", async () => {
    const elsewhere = { SENDING_DOMAIN: "mail.elsewhere.org" };
    const { code, text, steps } = await harness.run(elsewhere);
    expect(code).toBe(0);
    expect(steps).toMatchObject({ "email service": "skipped", message: "skipped" });
    expect(text).toMatch(
      /needed +mail\.elsewhere\.org {2}is in no zone of this account, .*: add its zone to the account/,
    );
    expect(writes()).toEqual([
      "POST /zones/:id/rulesets",
      "PUT /zones/:id/custom_hostnames/fallback_origin",
      "POST /zones/:id/workers/routes",
    ]);
  });

  it("waits for a domain that was enabled a moment ago", async () => {
    const absent = { status: 404, code: 10_009, says: "resource not found on source: example.com" };
    harness.change({ fault: { at: "POST /accounts", kind: "refuse", ...absent, times: 2 } });
    expect((await harness.run()).code).toBe(0);
    await expectOnboarded(harness);
  });

  it("refuses a wrangler.toml without the binding before it creates anything", async () => {
    const runWrangler = () => Promise.reject(new Error("asked"));
    const { stdin: input, stdout: output, stderr: errors } = process;
    const around = { root: SMALL_ROOT, environment: {}, input, output, errors };
    const context = newContext(
      { yes: true, dryRun: true, onConflict: "stop" },
      { ...around, clock: startedClock(), runWrangler },
    );
    const answers = { SERVICE_DOMAIN: "post.example.com", DNS_API_TOKEN: ZONE.token };
    const without = { ...context.config, bindsEmail: false };
    const run = settings.run({ ...context, environment: answers, config: without });
    await expect(run).rejects.toMatchObject({
      message:
        "OUTBOUND is cloudflare, but wrangler.toml has no binding send_email with the name EMAIL",
      mend: expect.stringContaining("put [[send_email]]"),
    });
  });
});

describe("the button's path", () => {
  it("ends in a delivered message after one run of set-up in the clone", async () => {
    const theirs = {
      ADMIN_TOKEN: "a".repeat(48),
      GATEWAY_TOKEN: "g".repeat(48),
      SIGNING_KEY: "s".repeat(64),
      KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      DNS_API_TOKEN: ZONE.token,
    };
    expect((await harness.deploy()).code).toBe(0);
    harness.change({ secrets: theirs });
    const typed = ["post.example.com", "", "", "", ZONE.token, "", "", "", theirs.ADMIN_TOKEN];
    const { code, text } = await harness.setup([], UNSAID, typed);
    expect(code, text).toBe(0);
    await expectOnboarded(harness, "mail.example.com");
    expect(harness.account.secrets).toEqual(theirs);
  });
});

describe("a further run", () => {
  it("changes nothing when everything exists, and a dry run finds nothing to do", async () => {
    await continueFinished();
    const before = await harness.everything();
    harness.accountApi.calls.length = 0;
    for (const args of [["--yes"], ["--yes", "--dry-run"]]) {
      const { code, steps, text } = await harness.setup(args);
      expect(code).toBe(0);
      const others = Object.entries(steps).filter(([, kind]) => kind !== "already");
      expect(others).toEqual([["mailboxes", "skipped"]]);
      expect(Object.keys(steps)).toHaveLength(17);
      expect(text).toContain(
        "already  example.com  sending was enabled, all 6 types of events go to postern-email-events",
      );
      expect(await harness.everything()).toEqual(before);
    }
    expect(writes()).toEqual([]);
  });

  it("onboards another domain, and every domain that the team has added since", async () => {
    await continueFinished();
    harness.worker.addDomain("news.example.com");
    const { code, text } = await harness.run({ SENDING_DOMAIN: "mail.example.com" });
    expect(code, text).toBe(0);
    expect(text).toContain("sends from mail.example.com, example.com, news.example.com");
    expect(harness.account.sending.map(({ name }) => name).toSorted()).toEqual([
      "example.com",
      "mail.example.com",
      "news.example.com",
    ]);
    expect(harness.account.subscriptions).toHaveLength(3);
  });

  it("corrects a subscription that leads elsewhere, is disabled and lacks a type", async () => {
    await continueFinished();
    const destination = { type: "queues.queue", queue_id: queueIdOf("postern-webhook") };
    const worse = { destination, enabled: false, events: EVENT_TYPES.slice(0, 5) };
    harness.change({ subscriptions: [{ ...OWN_SUBSCRIPTION, ...worse }] });
    const { text, steps } = await harness.run();
    expect(steps["email service"]).toBe("changed");
    expect(text).toContain(
      "(before: it sends to another queue, it is disabled, it lacks message.complained)",
    );
    await expectOnboarded(harness);
    expect(harness.account.subscriptions.map(({ id }) => id)).toEqual([OWN_SUBSCRIPTION.id]);
  });

  it("uses an operator's own subscription to the queue, and keeps its name and further types", async () => {
    await continueFinished();
    const types = ["cf.email.sending.message.delivered", "message.opened"];
    harness.change({ subscriptions: [{ ...OWN_SUBSCRIPTION, name: "mine", events: types }] });
    expect((await harness.run()).steps["email service"]).toBe("changed");
    expect(harness.account.subscriptions).toMatchObject([
      { id: OWN_SUBSCRIPTION.id, name: "mine", events: expect.arrayContaining(["message.opened"]) },
    ]);
    expect(harness.account.subscriptions[0]?.events).toHaveLength(EVENT_TYPES.length + 1);
  });

  it("does not change a subscription that leads the domain's events to an operator's own queue", async () => {
    const theirs = {
      ...OWN_SUBSCRIPTION,
      name: "analytics",
      destination: { type: "queues.queue", queue_id: "e".repeat(32) },
    };
    harness.change({ subscriptions: [theirs] });
    expect((await harness.run()).code).toBe(0);
    expect(harness.account.subscriptions).toHaveLength(2);
    expect(harness.account.subscriptions).toContainEqual(theirs);
  });

  it("enables a disabled domain again", async () => {
    await continueFinished();
    const disabled = harness.account.sending.map((domain) => ({ ...domain, enabled: false }));
    harness.change({ sending: disabled });
    expect((await harness.run()).steps["email service"]).toBe("changed");
    await expectOnboarded(harness);
  });

  it("changes to the gateway if its URL is given, and keeps the gateway", async () => {
    await continueFinished();
    const gateway = { EGRESS_URL: "https://mx.example.com" };
    expect((await harness.run(gateway)).steps["records"]).toBe("changed");
    const { text } = await harness.run();
    expect(text).toContain("mail by gateway (https://mx.example.com)");
    const back = await harness.run({ OUTBOUND: "cloudflare" });
    expect(back.text).toContain("mail by cloudflare");
    expect((await harness.run()).text).toContain("mail by cloudflare");
  });
});

describe("a dry run", () => {
  it("prints which domain it would enable and which subscription it would make, and changes nothing", async () => {
    const before = await harness.everything();
    const { code, text, steps } = await harness.run({}, "--dry-run");
    expect([code, steps["email service"]]).toEqual([0, "would"]);
    expect(text).toMatch(
      /would +email service +would send from example\.com\n +would +example\.com {2}enable sending, subscribe postern-email-events to all 6 types/,
    );
    expect(await harness.everything()).toEqual(before);
    expect(writes()).toEqual([]);
  });

  it("continues without a login", async () => {
    harness.change({ loggedIn: false });
    await expectRun(
      0,
      /unseen +email service +enable sending for example\.com and subscribe/,
      {},
      "--dry-run",
    );
  });
});

describe("an interrupted run", () => {
  const zone = `POST /zones/${ZONE.id}`;
  const calls = [`${zone}/rulesets`, `${zone}/email`, "POST /accounts"];
  const kills = ["kill_before", "kill_after"] as const;
  const faults = calls.flatMap((at): AccountFault[] => kills.map((kind) => ({ at, kind })));

  it("continues after a kill at any call to the account", async () => {
    for (const fault of faults) {
      harness.change({ fault });
      const { code } = await harness.run();
      // A second run does not repeat a call that an earlier run completed.
      expect([fault, code]).toEqual([fault, harness.account.fault === null ? null : 0]);
    }
    harness.change({ fault: null });
    expect((await harness.run()).code).toBe(0);
    await expectOnboarded(harness);
  });
});

describe("an obstacle", () => {
  it.each([
    ["GET /zones", "Zone · Zone · Read"],
    ["POST /zones", "Zone · Email Sending · Edit"],
    ["POST /accounts", "Account · Queues · Edit"],
  ])("is named with the permission: %s", async (at, permission) => {
    harness.change({ fault: { at, kind: "refuse", times: 99 } });
    const { code, text } = await harness.run();
    expect(code).toBe(1);
    expect(text).toMatch(
      new RegExp(
        `FAILED +(?:email service|preflight) +.*Unauthorized \\[code: 2036\\]\\n +→ .*${permission}`,
      ),
    );
  });
});
