// What `npm run setup` guarantees, run as a program against doubles of everything it calls: it
// brings a deployment about, a second run changes nothing, and a dry run does not either.
// setup-trouble.test.ts has what is in the way.
import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Run, SetupHarness, ZONE } from "./setup-harness.ts";
import { expectWhole, SECRETS } from "./whole.ts";

let stand: SetupHarness;
/** Where set-up has run once, and what that said. */
let whole: SetupHarness;
let first: Run;

beforeAll(async () => {
  whole = await SetupHarness.start();
  first = await whole.setup(["--yes"]);
  await whole.rest();
});

afterAll(() => rmSync(whole.directory, { recursive: true }));

beforeEach(async () => {
  stand = await SetupHarness.start();
});

/** Goes on from a whole set-up. */
async function afterFirst(): Promise<void> {
  await stand.close();
  stand = await SetupHarness.start(whole);
}

afterEach(async () => {
  await stand.close();
});

describe("a first run", () => {
  it("goes from nothing to a message that was delivered, and shows what to keep", async () => {
    const { code, text, steps } = first;
    expect(text).not.toContain("FAILED");
    expect(code).toBe(0);
    await afterFirst();
    await expectWhole(stand);
    expect(steps).toMatchObject({
      queues: "done",
      databases: "done",
      secrets: "done",
      records: "done",
      deploy: "done",
      team: "done",
      message: "done",
    });
    const { account, worker } = whole;
    for (const name of SECRETS.filter((secret) => secret !== "DNS_API_TOKEN"))
      expect(text).toContain(`${name}=${account.secrets?.[name]}`);
    expect(text).not.toContain(ZONE.token);
    expect(text).toContain(worker.teams[0]?.key);
    expect(text).toMatch(/email\.sent\n.*email\.delivered {2}2\.0\.0 simulated/);
    expect(text).toMatch(
      /GATEWAY_HOSTNAME=mx\.example\.com\n +WORKER_URL=https:\/\/post\.example\.com\n/,
    );
    expect(text).toContain("smtp-gateway/systemd/postern-gateway.service");
    expect(text).toContain("for up to 30 minutes not to whoever asked before");
    // Each secret once.
    for (const secret of [worker.teams[0]?.key, account.secrets?.["GATEWAY_TOKEN"]])
      expect(text.split(String(secret))).toHaveLength(2);
  });

  it("makes secrets that the worker takes, and hands them over by standard input alone", () => {
    const secrets = whole.account.secrets ?? {};
    expect(Buffer.from(secrets["KEY_ENCRYPTION_KEY"] ?? "", "base64")).toHaveLength(32);
    expect(secrets["SIGNING_KEY"]?.length).toBeGreaterThanOrEqual(32);
    expect(new Set(Object.values(secrets)).size).toBe(SECRETS.length);
    const argumentsGiven = JSON.stringify(whole.calls.map(({ argv }) => argv));
    for (const value of Object.values(secrets)) expect(argumentsGiven).not.toContain(value);
  });

  it("migrates before it deploys, and creates first what a deployment does not", () => {
    const commands = whole.calls.map(({ argv }) => argv.join(" "));
    const at = (beginning: string): number =>
      commands.findIndex((command) => command.startsWith(beginning));
    expect(at("deploy --var")).toBeGreaterThan(at("d1 migrations apply SHARD_0 --remote"));
    expect(at("deploy --var")).toBeGreaterThan(at("queues create postern-webhook-dead"));
    expect(at("deploy --var")).toBeGreaterThan(at("secret bulk"));
  });

  it("asks for what nobody has said, and says what an answer has to be", async () => {
    const unsaid = { SERVICE_DOMAIN: undefined, EGRESS_URL: undefined, DNS_API_TOKEN: undefined };
    const typed = [
      "Post.Example",
      "post.example.com",
      "",
      "",
      "http://mx.example.com",
      "https://mx.example.com",
      ZONE.token,
      "",
      "",
      "",
      "",
      "",
      "",
    ];
    const { code, text } = await stand.setup([], unsaid, typed);
    expect(text).toContain("SERVICE_DOMAIN must be a host name in lower case");
    expect(text).toContain("EGRESS_URL must be https");
    expect(text).toContain("[https://post.example.com]:");
    expect(code).toBe(0);
    await expectWhole(stand);
  });

  it("names everything that is missing or wrong, where nobody can be asked", async () => {
    const { code, text } = await stand.setup(["--yes"], {
      SERVICE_DOMAIN: "postern.example",
      EGRESS_URL: undefined,
      DNS_API_TOKEN: undefined,
      OUTBOUND: "pigeon",
    });
    expect(code).toBe(1);
    expect(text).toContain(
      "SERVICE_DOMAIN is still the example's name; OUTBOUND must be gateway, smtp or cloudflare; DNS_API_TOKEN is missing",
    );
    expect(stand.calls.map(({ argv }) => argv[0])).toEqual(["whoami"]);
  });

  it("says nothing of answers that only follow from a missing one", async () => {
    const { text } = await stand.setup(["--yes"], {
      SERVICE_DOMAIN: undefined,
      EGRESS_URL: undefined,
      DNS_API_TOKEN: undefined,
    });
    expect(text).toMatch(
      /FAILED +settings +SERVICE_DOMAIN is missing; EGRESS_URL is missing; DNS_API_TOKEN is missing\n/,
    );
  });

  it("wants the binding of the courier cloudflare before anything is made", async () => {
    const { code, text } = await stand.setup(["--yes"], {
      OUTBOUND: "cloudflare",
      EGRESS_URL: undefined,
    });
    expect(code).toBe(1);
    expect(text).toMatch(
      /FAILED +settings +OUTBOUND is cloudflare, and wrangler\.toml binds no send_email as EMAIL\n +→ uncomment/,
    );
    expect(stand.calls.map(({ argv }) => argv[0])).toEqual(["whoami"]);
  });

  it("goes without a message where the sending domain lies elsewhere, and shows the records that it needs", async () => {
    const { code, text, steps } = await stand.setup(["--yes"], {
      SENDING_DOMAIN: "mail.elsewhere.org",
    });
    expect(code).toBe(0);
    expect(steps).toMatchObject({ "sending domain": "skipped", message: "skipped" });
    expect(text).toMatch(
      /needed +bounces\.mail\.elsewhere\.org {2}CNAME \w{16}\.return-path\.post\.example\.com/,
    );
    expect((await stand.records())["bounces.mail.elsewhere.org"]).toBeUndefined();
    for (const { name, value } of stand.worker.domains[0]?.dns_records ?? [])
      await stand.putRecord(`${name}.elsewhere.org`, "CNAME", value);
    expect((await stand.setup(["--yes"])).steps).toMatchObject({
      "sending domain": "done",
      message: "done",
    });
  });

  it("sets a relay up in the place of a gateway", async () => {
    const relay = {
      OUTBOUND: "smtp",
      SMTP_RELAY_HOST: "smtp.relay.net",
      SMTP_RELAY_USERNAME: "us",
      SMTP_RELAY_PASSWORD: "relay-secret",
    };
    const records = {
      MX_HOST: "mx1.example.com, mx2.example.com",
      SPF: "v=spf1 include:relay.net -all",
    };
    const { code, text } = await stand.setup(["--yes"], {
      ...relay,
      ...records,
      EGRESS_URL: undefined,
    });
    expect(code).toBe(0);
    expect(stand.account.secrets?.["SMTP_RELAY_PASSWORD"]).toBe("relay-secret");
    expect(stand.account.deployments.at(-1)?.variables).toMatchObject({
      OUTBOUND: "smtp",
      EGRESS_URL: "",
      SMTP_RELAY_HOST: "smtp.relay.net",
      SMTP_RELAY_PORT: "587",
    });
    const returnPath = (await stand.records())["*.return-path.post.example.com"];
    expect(returnPath).toEqual([
      "MX 10 mx1.example.com",
      "MX 20 mx2.example.com",
      'TXT "v=spf1 include:relay.net -all"',
    ]);
    expect(text).not.toContain("relay-secret");
  });
});

describe("several gateways", () => {
  it("behind one name have one MX record", async () => {
    const { code } = await stand.setup(["--yes"], {
      EGRESS_URL: "https://mx.example.com:8443,https://mx.example.com:9443",
    });
    expect(code).toBe(0);
    const returnPath = (await stand.records())["*.return-path.post.example.com"];
    expect(returnPath).toEqual(["MX 10 mx.example.com", 'TXT "v=spf1 a:mx.example.com -all"']);
  });

  it("are all told, and all take bounces", async () => {
    const { code, text } = await stand.setup(["--yes"], {
      EGRESS_URL: "https://mx-a.example.com, https://mx-b.example.com",
    });
    expect(code).toBe(0);
    expect(text).toContain("the gateway, on mx-a.example.com and on mx-b.example.com");
    expect(text).toContain("GATEWAY_HOSTNAME=mx-a.example.com   (on the other mx-b.example.com)");
    expect(text).toContain(
      "reached by the worker at https://mx-a.example.com and https://mx-b.example.com,",
    );
    expect(stand.account.deployments.at(-1)?.variables["EGRESS_URL"]).toBe(
      "https://mx-a.example.com, https://mx-b.example.com",
    );
    const returnPath = (await stand.records())["*.return-path.post.example.com"];
    expect(returnPath).toEqual([
      "MX 10 mx-a.example.com",
      "MX 20 mx-b.example.com",
      'TXT "v=spf1 a:mx-a.example.com a:mx-b.example.com -all"',
    ]);
  });
});

describe("a run again", () => {
  it("changes nothing where everything is there, and a dry run finds nothing to do", async () => {
    await afterFirst();
    // Whatever of the sources was edited since.
    await stand.setup(["--yes"]);
    const before = await stand.everything();
    const calls = stand.calls.length;
    for (const args of [["--yes"], ["--yes", "--dry-run"]]) {
      const { code, steps, text } = await stand.setup(args);
      expect(code).toBe(0);
      expect(text).toMatch(
        /^(?:Everything was there: nothing was changed|Nothing was changed, and without --dry-run nothing would be)\.$/m,
      );
      expect(Object.entries(steps).filter(([, kind]) => kind !== "already")).toEqual([]);
      expect(Object.keys(steps)).toHaveLength(12);
      expect(await stand.everything()).toEqual(before);
    }
    const again = stand.calls.slice(calls).map(({ argv }) => argv.slice(0, 2).join(" "));
    expect(new Set(again)).toEqual(
      new Set([
        "whoami --json",
        "queues list",
        "d1 list",
        "d1 execute",
        "secret list",
        "deployments status",
      ]),
    );
  });

  it("needs no answer again, and follows one that changed", async () => {
    await afterFirst();
    const unsaid = { SERVICE_DOMAIN: undefined, DNS_API_TOKEN: undefined };
    const { code, steps } = await stand.setup(["--yes"], {
      ...unsaid,
      EGRESS_URL: "https://gateway.example.com",
    });
    expect(code).toBe(0);
    expect(steps).toMatchObject({
      settings: "changed",
      secrets: "already",
      records: "changed",
      deploy: "changed",
      team: "already",
    });
    const returnPath = (await stand.records())["*.return-path.post.example.com"];
    expect(returnPath).toEqual([
      "MX 10 gateway.example.com",
      'TXT "v=spf1 a:gateway.example.com -all"',
    ]);
    expect(stand.account.deployments.at(-1)?.variables["EGRESS_URL"]).toBe(
      "https://gateway.example.com",
    );
  });

  it("deploys with the same variables by npm run deploy's program", async () => {
    await afterFirst();
    const before = stand.account.deployments;
    const { code, text } = await stand.deploy();
    expect(text).toContain("deploy");
    expect(code).toBe(0);
    const after = stand.account.deployments;
    expect(after).toHaveLength(before.length + 1);
    expect(after.at(-1)).toEqual({ ...before.at(-1), version: after.at(-1)?.version });
  });

  it("deploys what wrangler.toml says where nothing was set up, as a build on Cloudflare's side does", async () => {
    const { code } = await stand.deploy();
    expect(code).toBe(0);
    expect(stand.account.deployments).toEqual([
      { version: expect.any(String), variables: {}, domains: [] },
    ]);
    expect(Object.keys(stand.account.databases)).toEqual(["postern-core", "postern-shard-0"]);
    expect(stand.account.queues).toHaveLength(6);
    expect(stand.kept).toBeNull();
  });

  it("refuses another service domain", async () => {
    await afterFirst();
    const before = await stand.everything();
    const { code, text } = await stand.setup(["--yes"], { SERVICE_DOMAIN: "other.example.com" });
    expect(code).toBe(1);
    expect(text).toContain("SERVICE_DOMAIN was post.example.com and is other.example.com now");
    expect(await stand.everything()).toEqual(before);
  });

  it("refuses another account", async () => {
    await afterFirst();
    stand.change({ accounts: [...stand.account.accounts, { id: "acc2", name: "Another" }] });
    const before = await stand.everything();
    const { code, text } = await stand.setup(["--yes"], { CLOUDFLARE_ACCOUNT_ID: "acc2" });
    expect(code).toBe(1);
    expect(text).toMatch(
      /FAILED +login +the deployment that is kept here is in the account acc1, and this is acc2\n +→ set CLOUDFLARE_ACCOUNT_ID back/,
    );
    expect(await stand.everything()).toEqual(before);
    expect((await stand.setup(["--yes"])).code).toBe(0);
  });

  it("puts a token anew that the operator changed, and nothing else", async () => {
    await afterFirst();
    const before = stand.account.secrets;
    const { steps } = await stand.setup(["--yes"], {
      SMTP_RELAY_PASSWORD: "unused",
      ADMIN_TOKEN: "another-admin-token-0123456789abcdef",
    });
    expect(steps).toMatchObject({ secrets: "changed", team: "already" });
    expect(stand.account.secrets).toEqual({
      ...before,
      ADMIN_TOKEN: "another-admin-token-0123456789abcdef",
    });
  });
});

describe("a dry run", () => {
  it("says what it would do, and changes nothing", async () => {
    const before = await stand.everything();
    const { code, text, steps } = await stand.setup(["--yes", "--dry-run"]);
    expect(code).toBe(0);
    expect(steps).toMatchObject({
      queues: "would",
      databases: "would",
      secrets: "would",
      records: "would",
      deploy: "would",
      team: "would",
      message: "would",
      settings: "would",
    });
    expect(text).toContain("KEY_ENCRYPTION_KEY (generated)");
    expect(text).toContain("MX 10 mx.example.com");
    expect(text).toContain("Nothing was changed.");
    expect(await stand.everything()).toEqual(before);
    expect(stand.kept).toBeNull();
    const verbs = stand.calls.map(({ argv }) => argv.slice(0, 2).join(" "));
    expect(new Set(verbs)).toEqual(
      new Set(["whoami --json", "queues list", "d1 list", "secret list", "deployments status"]),
    );
    expect(stand.worker.calls.filter((call) => !call.startsWith("GET"))).toEqual([]);
  });

  it("goes on without a login: the zone's records are looked up, and the rest is said", async () => {
    stand.change({ loggedIn: false });
    const before = await stand.everything();
    const { code, text, steps } = await stand.setup(["--yes", "--dry-run"]);
    expect(code).toBe(0);
    expect(steps).toEqual({
      login: "unseen",
      settings: "would",
      zone: "already",
      queues: "unseen",
      databases: "unseen",
      secrets: "unseen",
      records: "would",
      deploy: "unseen",
      health: "already",
      team: "would",
      "sending domain": "would",
      message: "would",
    });
    expect(text).toMatch(
      /unseen +login +not looked up: wrangler is not logged in to Cloudflare\n +→ run npx wrangler login/,
    );
    expect(text).toMatch(/unseen +queues +create those that are missing of postern-deliver, /);
    expect(text).toMatch(/unseen +databases +.*postern-shard-0 \(\d+\)/);
    expect(text).toMatch(/unseen +secrets +.*KEY_ENCRYPTION_KEY \(generated\).*DNS_API_TOKEN/);
    expect(text).toMatch(
      /unseen +deploy +wrangler deploy --var SERVICE_DOMAIN:post\.example\.com /,
    );
    expect(text).toMatch(/Nothing was changed\. What was not looked up/);
    // One question to wrangler: the others would be refused alike.
    expect(stand.calls.map(({ argv }) => argv.join(" "))).toEqual(["whoami --json"]);
    expect(await stand.everything()).toEqual(before);
  });

  it("goes on without anything but the service domain and the gateway's URL", async () => {
    stand.change({ loggedIn: false });
    const { code, text, steps } = await stand.setup(["--yes", "--dry-run"], {
      DNS_API_TOKEN: undefined,
      API_URL: "http://127.0.0.1:9",
    });
    expect(code).toBe(0);
    expect(steps).toMatchObject({
      zone: "unseen",
      records: "unseen",
      health: "would",
      team: "would",
      "sending domain": "skipped",
    });
    expect(text).toMatch(
      /unseen +zone +find the zone that holds post\.example\.com\n +not looked up: there is no DNS_API_TOKEN\n +→ set DNS_API_TOKEN/,
    );
    expect(text).toContain("MX 10 mx.example.com");
  });

  it.each([
    ["queues list", "queues"],
    ["d1 list", "databases"],
    ["secret list", "secrets"],
  ])("goes on where wrangler may not %s, and names the permission", async (at, step) => {
    stand.change({ fault: { at, kind: "fail", says: "Authentication error [code: 10000]" } });
    const { code, steps, text } = await stand.setup(["--yes", "--dry-run"]);
    expect([code, steps[step], steps["message"]]).toEqual([0, "unseen", "would"]);
    expect(text).toMatch(/not looked up: .*Authentication error \[code: 10000\]\n +→ .*Account · /);
  });

  it("still stops at what stands in the way", async () => {
    await stand.putRecord("*.return-path.post.example.com", "MX", "10 other.example.net");
    const { code, steps, text } = await stand.setup(["--yes", "--dry-run"]);
    expect([code, steps["records"]]).toEqual([1, "FAILED"]);
    expect(text).toContain("nothing was overwritten");
  });
});
