// Tests repeated runs of `npm run setup`, against doubles of all services that it calls: a second
// run changes only what is wrong, and a dry run changes nothing at all.
import { describe, expect, it } from "vitest";
import { continueFinished, expectRun, harness, useSetup } from "./finished-setup.ts";

useSetup();

const OTHER_GATEWAY = "https://gateway.example.com";
const LOOKS = [
  "whoami --json",
  "auth token",
  "queues list",
  "d1 list",
  "secret list",
  "deployments status",
];
/** Steps of set-up with the same result. */
const all = (result: string, ...steps: readonly string[]) =>
  Object.fromEntries(steps.map((step) => [step, result]));

describe("a second run", () => {
  it("changes nothing when everything exists, and a dry run finds nothing to do", async () => {
    await continueFinished();
    // The finished state may be older than the sources. The first run brings it up to date.
    await harness.run();
    const before = await harness.everything();
    const calls = harness.calls.length;
    for (const args of [["--yes"], ["--yes", "--dry-run"]]) {
      const { code, steps, text } = await harness.setup(args);
      expect(code).toBe(0);
      expect(text).toMatch(
        /^(?:Everything already existed: nothing was changed|Nothing was changed, and a run without --dry-run would change nothing)\.$/m,
      );
      expect(Object.entries(steps).filter(([, kind]) => kind !== "already")).toEqual([]);
      expect(Object.keys(steps)).toHaveLength(15);
      expect(await harness.everything()).toEqual(before);
    }
    const again = harness.calls.slice(calls).map(({ argv }) => argv.slice(0, 2).join(" "));
    expect(new Set(again)).toEqual(new Set([...LOOKS, "d1 execute"]));
  });

  it("asks no question again, and applies a changed answer", async () => {
    await continueFinished();
    const unsaid = { SERVICE_DOMAIN: undefined, DNS_API_TOKEN: undefined };
    const { code, steps } = await harness.run({ ...unsaid, EGRESS_URL: OTHER_GATEWAY });
    expect(code).toBe(0);
    const changed = all("changed", "settings", "records", "deploy");
    expect(steps).toMatchObject({ ...changed, ...all("already", "secrets", "team") });
    const spf = 'TXT "v=spf1 a:gateway.example.com -all"';
    expect(await harness.returnPath()).toEqual(["MX 10 gateway.example.com", spf]);
    expect(harness.variables?.["EGRESS_URL"]).toBe(OTHER_GATEWAY);
  });

  it("deploys the variables of wrangler.toml without a set-up, as a build on Cloudflare's side does", async () => {
    const { code } = await harness.deploy();
    expect(code).toBe(0);
    const version: unknown = expect.any(String);
    expect(harness.account.deployments).toEqual([{ version, variables: {}, domains: [] }]);
    expect(Object.keys(harness.account.databases)).toEqual(["postern-core", "postern-shard-0"]);
    expect(harness.account.queues).toHaveLength(7);
    expect(harness.kept).toBeNull();
    expect(harness.calls.filter(({ argv }) => argv[0] === "queues")).toEqual([]);
  });

  it("deploys from a build whose token has no right to D1, and says who applies the migrations", async () => {
    harness.change({
      fault: { at: "d1 list", kind: "refuse", says: "Authentication error [code: 10000]" },
    });
    const { code, text } = await harness.deploy();
    expect(code).toBe(0);
    expect(text).toMatch(/skipped +databases .*code: 10000.*run npm run setup in a clone/);
    expect(harness.account.deployments).toHaveLength(1);
    await continueFinished();
    harness.change({ fault: { at: "d1 list", kind: "refuse", says: "no [code: 10000]" } });
    expect((await harness.deploy()).code).toBe(1);
  });

  it("refuses another service domain", async () => {
    await continueFinished();
    const before = await harness.everything();
    await expectRun(1, "SERVICE_DOMAIN was post.example.com and is other.example.com now", {
      SERVICE_DOMAIN: "other.example.com",
    });
    expect(await harness.everything()).toEqual(before);
  });

  it("refuses another account", async () => {
    await continueFinished();
    harness.change({ accounts: [...harness.account.accounts, { id: "acc2", name: "Another" }] });
    const before = await harness.everything();
    await expectRun(
      1,
      /FAILED +login +set-up's file is for a deployment in the account acc1, and this is acc2\n +→ set CLOUDFLARE_ACCOUNT_ID back/,
      { CLOUDFLARE_ACCOUNT_ID: "acc2" },
    );
    expect(await harness.everything()).toEqual(before);
    expect((await harness.run()).code).toBe(0);
  });

  it("uploads only the token that the operator changed", async () => {
    await continueFinished();
    const before = harness.account.secrets;
    const ADMIN_TOKEN = "another-admin-token-0123456789abcdef";
    const { steps } = await harness.run({ SMTP_RELAY_PASSWORD: "unused", ADMIN_TOKEN });
    expect(steps).toMatchObject({ secrets: "changed", team: "already" });
    expect(harness.account.secrets).toEqual({ ...before, ADMIN_TOKEN });
  });
});

describe("a dry run", () => {
  it("prints its actions and changes nothing", async () => {
    const before = await harness.everything();
    const { code, text, steps } = await harness.run({}, "--dry-run");
    expect(code).toBe(0);
    const published = ["records", "deploy", "team", "message", "settings"];
    expect(steps).toMatchObject(all("would", "queues", "databases", "secrets", ...published));
    expect(text).toContain("KEY_ENCRYPTION_KEY (generated)");
    expect(text).toContain("MX 10 mx.example.com");
    expect(text).toContain("Nothing was changed.");
    expect(await harness.everything()).toEqual(before);
    expect(harness.kept).toBeNull();
    const verbs = harness.calls.map(({ argv }) => argv.slice(0, 2).join(" "));
    expect(new Set(verbs)).toEqual(new Set(LOOKS));
    expect(harness.worker.calls.filter((call) => !call.startsWith("GET"))).toEqual([]);
  });

  it("continues without a login: it looks up the zone's records and prints the rest", async () => {
    harness.change({ loggedIn: false });
    const before = await harness.everything();
    const issuer = "https://acme.cloudflareaccess.com";
    const access = { ACCESS_ISSUER: issuer, ACCESS_AUDIENCE: "aud-of-the-console" };
    const { code, text, steps } = await harness.run(access, "--dry-run");
    expect(code).toBe(0);
    expect(steps).toEqual({
      ...all(
        "unseen",
        "login",
        "preflight",
        "queues",
        "databases",
        "secrets",
        "deploy",
        "programs",
        "tracking hosts",
      ),
      ...all("would", "settings", "records", "team", "sending domain", "message"),
      ...all("already", "zone", "health"),
    });
    expect(text).toMatch(
      /unseen +login +not looked up: wrangler is not logged in to Cloudflare\n +→ run npx wrangler login/,
    );
    expect(text).toMatch(
      /unseen +queues +create the missing ones of these queues: postern-deliver, /,
    );
    expect(text).toMatch(/unseen +databases +.*postern-shard-0 \(\d+\)/);
    expect(text).toMatch(/unseen +secrets +.*KEY_ENCRYPTION_KEY \(generated\).*DNS_API_TOKEN/);
    expect(text).toMatch(
      /unseen +deploy +wrangler deploy --var SERVICE_DOMAIN:post\.example\.com /,
    );
    // A setting without an answer is left to wrangler.toml.
    expect(text).toContain(`--var ACCESS_ISSUER:${issuer}`);
    expect(text).not.toContain("--var NOTICES_TEAM");
    expect(text).toMatch(/Nothing was changed\. Some objects could not be checked/);
    // Set-up runs only `wrangler whoami`, because wrangler would also refuse all other commands.
    expect(harness.calls.map(({ argv }) => argv.join(" "))).toEqual(["whoami --json"]);
    expect(await harness.everything()).toEqual(before);
  });

  it("continues with only the service domain and the gateway's URL", async () => {
    harness.change({ loggedIn: false });
    const unsaid = {
      DNS_API_TOKEN: undefined,
      SENDING_DOMAIN: undefined,
      API_URL: "http://127.0.0.1:9",
    };
    const { code, text, steps } = await harness.run(unsaid, "--dry-run");
    expect(code).toBe(0);
    const seen = { ...all("unseen", "zone", "records"), ...all("would", "health", "team") };
    expect(steps).toMatchObject({ ...seen, "sending domain": "skipped" });
    expect(text).toMatch(
      /unseen +zone +find the zone that contains post\.example\.com\n +not looked up: DNS_API_TOKEN is missing\n +→ set DNS_API_TOKEN/,
    );
    expect(text).toContain("MX 10 mx.example.com");
  });

  it("continues if wrangler lacks a permission, and names the permission", async () => {
    const says = "Authentication error [code: 10000]";
    harness.change({ fault: { at: "d1 list", kind: "refuse", says } });
    const { code, steps, text } = await harness.run({}, "--dry-run");
    expect([code, steps["databases"], steps["message"]]).toEqual([0, "unseen", "would"]);
    expect(text).toMatch(/not looked up: .*\[code: 10000\]\n +→ .*Account · D1/);
  });

  it("still stops at a conflicting record", async () => {
    await harness.dns.put("*.return-path.post.example.com", "MX", "10 other.example.net");
    const { code, steps, text } = await harness.run({}, "--dry-run");
    expect([code, steps["records"]]).toEqual([1, "FAILED"]);
    expect(text).toContain("nothing was overwritten");
  });
});
