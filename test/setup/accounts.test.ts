// Tests that `npm run setup` either leads to a delivered message or names a remedy and leaves
// nothing half-made, in each account of `npm start -- --account=<case>` (docs/local.md §An
// account); and that bad answers, two runs at once and a login that ends are named.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  ACCOUNT_CASES,
  accountCase,
  type AccountCaseName,
} from "../../tools/dev/account/account-cases.ts";
import { EVENTS_QUEUE } from "../../tools/setup/event-subscriptions.ts";
import { expectRun, harness, useSetup } from "./finished-setup.ts";

useSetup("cloudflare");

const DELIVERED = /^ {2}done +message +email_\S+ to delivered@simulator\.\S+, delivered$/m;

/** The words of set-up in each account, and whether it ends with a delivered message. */
const SAYS: Readonly<Record<AccountCaseName, readonly [isDelivered: boolean, says: RegExp]>> = {
  empty: [true, /done +programs +Browser Integrity Check is off for post\.example\.com/],
  "no-login": [
    false,
    /FAILED +login .*not logged in.*\n +→ run npx wrangler login, or set CLOUDFLARE_API/,
  ],
  "no-r2": [false, /R2: .*\[code: 10042\]\n +→ enable R2 once at https:\/\/dash\.cloudflare\.com/],
  "no-queues": [false, /Queues: .*\[code: 10000\]\n +→ give .* Account · Queues · Edit/],
  "no-email": [false, /FAILED +preflight .*\[code: 10000\]\n +→ .*Zone · Email Sending · Edit/],
  "wrangler-login": [
    true,
    /skipped +programs .*\[code: 10000\]\n +needed .*1010\):\n.*Zone · Config Rules · Edit/,
  ],
  "full-zone": [false, /has 195 of 200 DNS records, .*\(81045\)\n +→ remove records/],
  google: [
    false,
    /FAILED +preflight .*others send mail from example\.com \(aspmx.*\n +→ publish .* at _dmarc\.example\.com/,
  ],
  "foreign-dmarc": [true, /sends from example\.com/],
  second: [false, /\(11004\): postern-deliver \(first\).*\n +→ .*DEPLOYMENT=<name> npm run setup/],
  young: [true, /gives this account no quota yet.*10203/],
  "no-zone": [false, /no zone that the DNS token can read contains post\.elsewhere\.org\n +→ add/],
  "taken-host": [
    false,
    /post\.example\.com already has A 192\.0\.2\.9, .*custom domain belongs; nothing .*\n +→ remove that record/,
  ],
  "no-ssl": [
    true,
    /skipped +tracking hosts .*\[code: 10000\]\n +needed .*DNS_API_TOKEN .* SSL and Certificates · Edit/,
  ],
  website: [
    true,
    /done +tracking hosts +fallback .*\n +done +route www\.example\.com\/\* to no worker/,
  ],
  saas: [
    true,
    /skipped +tracking hosts +.*fallback origin is shop\.example\.com.*\n +needed .*own/,
  ],
  routing: [
    true,
    /done +mailboxes +postmaster@post\.example\.com and fbl@feedback\.\S+ and r@reply\.\S+ to .*\n +needed +to get replies: .*, Email Routing, Settings, switch Subaddressing on/,
  ],
};

/** Runs set-up in the account of this name, as `npm start -- --account=<name>` has it. */
async function setUpIn(name: AccountCaseName) {
  const { change = {}, records = [], answers = {} } = accountCase(name) ?? { about: "" };
  harness.change(structuredClone(change));
  await harness.dns.replaceAll(records);
  const before = await harness.everything();
  const { code, text } = await harness.run({ SENDING_DOMAIN: undefined, ...answers });
  return { before, code, text };
}

describe("set-up in an account", () => {
  it.each(Object.entries(SAYS))("ends as expected: %s", async (name, [isDelivered, says]) => {
    const { before, code, text } = await setUpIn(name as AccountCaseName);
    expect(text).toMatch(says);
    expect([code, DELIVERED.test(text)]).toEqual(isDelivered ? [0, true] : [1, false]);
    // The answers are stored, and nothing else.
    if (!isDelivered) expect(await harness.everything()).toEqual({ ...before, kept: harness.kept });
  });

  it("that has another deployment makes a second one under names of its own", async () => {
    const DEPLOYMENT = "shop-mail";
    harness.change(structuredClone(ACCOUNT_CASES.second.change));
    const given = { DEPLOYMENT, SENDING_DOMAIN: "mail.example.com" };
    const { text } = await expectRun(0, DELIVERED, given);
    expect(text).toContain("all 6 types of events go to shop-mail-email-events now");
    const { databases, queues, readers } = harness.account;
    expect(Object.keys(databases)).toEqual(["shop-mail-core", "shop-mail-shard-0"]);
    expect(readers).toMatchObject({ "postern-deliver": "first", "shop-mail-deliver": DEPLOYMENT });
    expect(queues.filter((queue) => queue.startsWith("shop-mail-"))).toHaveLength(7);
    const path = join(harness.directory, "state/wrangler.json");
    const written = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    expect(written).toMatchObject({
      name: DEPLOYMENT,
      r2_buckets: [{ bucket_name: "shop-mail-content" }],
    });
    // A later run knows the name of the deployment, and refuses another name.
    expect((await harness.run()).code).toBe(0);
    expect(Object.keys(databases)).toHaveLength(2);
    const other = await harness.run({ DEPLOYMENT: "other" });
    expect(other.text).toMatch(/^setup: DEPLOYMENT is other, and set-up's file is for shop-mail:/);
    expect((await harness.run({ DEPLOYMENT: "Shop!" })).text).toMatch(/DEPLOYMENT must be 2 to 40/);
  });
});

describe("a fault", () => {
  it.each([
    [
      "GET /accounts/acc1/queues",
      /preflight +.*HTTP 502: no JSON, but <!doctype html>.*Bad gateway/,
    ],
    ["POST /zones", /email service .*HTTP 502: no JSON, but <!doctype html>/],
  ])("of the API is named if an HTML page comes instead of JSON: %s", async (at, says) => {
    harness.change({ fault: { at, kind: "print", times: 9 } });
    await expectRun(1, says);
    harness.change({ fault: null });
    await expectRun(0, DELIVERED);
  });

  it.each(["d1 list", "secret list", "deployments status", "auth token", "queues list"])(
    "of wrangler is named or mended if a command prints no JSON: %s",
    async (at) => {
      harness.change({ fault: { at, kind: "print", says: "▲ a notice\n" } });
      const { code, text } = await harness.run();
      expect([code, text]).toEqual(
        ["queues list", "deployments status"].includes(at)
          ? [0, expect.stringMatching(DELIVERED)]
          : [1, expect.stringMatching(/FAILED +\w+ +wrangler .*(?:no JSON|no credentials)/)],
      );
    },
  );

  it("in publishing the third of five records is named with the two records before it", async () => {
    await harness.dns.faults({ api: { status: 500, after: 2, method: "POST" } });
    await expectRun(
      1,
      /FAILED +records +publishing MX .*HTTP 500.*\n +→ run this again.*\n +Published before, .*:\n +\*\.return-path\.post\.example\.com MX 10 route1.*\n +\*\.return-path\.post\.example\.com MX 20 route2.*\n$/,
    );
    expect(harness.account.queues).toEqual([]);
    await harness.dns.faults({});
    await expectRun(0, DELIVERED);
  });

  it("by a login that ends during the run is named with its remedy", async () => {
    const says =
      "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN " +
      "environment variable for wrangler to work.";
    harness.change({ fault: { at: "secret bulk", kind: "refuse", says } });
    await expectRun(1, /FAILED +secrets .*\n +→ the login has ended: run npx wrangler login/);
    await expectRun(0, DELIVERED);
  });
});

describe("two people's runs at once", () => {
  it("share queues and databases, and a run whose secrets the other one replaced says so", async () => {
    const theirs = "t".repeat(48);
    harness.change({ queues: [EVENTS_QUEUE] });
    // Another person's secrets arrive after this run has looked for secrets.
    const put = harness.wrangler.run;
    harness.runWrangler = async (argv, ...rest) => {
      const ran = await put(argv, ...rest);
      if (argv[0] === "secret" && argv[1] === "bulk")
        harness.change({ secrets: { ...harness.account.secrets, ADMIN_TOKEN: theirs } });
      return ran;
    };
    const { text } = await expectRun(1, /FAILED +team +GET \/admin\/teams\S+: HTTP 401/);
    expect(text).toMatch(/→ .*set ADMIN_TOKEN to the token in use, which another person's run/);
    expect(harness.worker.teams).toEqual([]);
  });

  it("exclude each other on the same machine, by a lock on set-up's file", async () => {
    const { text } = await harness.beside(() => harness.run());
    expect(text).toMatch(/^setup: another run of set-up \(process \d+\) uses .*production\.json/);
  });
});
