// What `npm run setup` guarantees, run as a program against doubles of everything it calls: it brings a deployment about, a second run changes nothing, a run that
// is cut short anywhere is taken up again, and what is in the way is named and left alone.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Fault } from "./fake-wrangler.ts";
import { Stand, ZONE } from "./stand.ts";

const SECRETS = ["ADMIN_TOKEN", "DNS_API_TOKEN", "GATEWAY_TOKEN", "KEY_ENCRYPTION_KEY", "SIGNING_KEY"];
const QUEUES = ["deliver", "dns-cleanup", "webhook"].flatMap((name) => [`postern-${name}`, `postern-${name}-dead`]);
const RETURN_PATH = ["MX 10 mx.example.com", "TXT \"v=spf1 a:mx.example.com -all\""];

let stand: Stand;

beforeEach(async () => {
  stand = await Stand.start();
});

afterEach(async () => {
  await stand.close();
});

async function expectWhole(): Promise<void> {
  const { account, worker, kept } = stand;
  expect(Object.keys(account.databases)).toEqual(["postern-core", "postern-history-0"]);
  expect(Object.values(account.databases).every((applied) => applied.length > 0)).toBe(true);
  expect(account.queues.toSorted()).toEqual(QUEUES.toSorted());
  expect(Object.keys(account.secrets ?? {}).toSorted()).toEqual(SECRETS);
  expect(kept?.secrets).toMatchObject(account.secrets ?? {});
  expect(account.deployments.at(-1)?.variables).toMatchObject({ SERVICE_DOMAIN: "post.example.com", EGRESS_URL: "https://mx.example.com", DNS_ZONE_ID: ZONE.id });
  expect(account.deployments.at(-1)?.domains).toEqual(["post.example.com"]);
  expect(worker.teams.map(({ name }) => name)).toEqual(["First team"]);
  expect(kept?.team?.api_key).toBe(worker.teams[0]?.key);
  expect(worker.domains.map(({ name, status }) => [name, status])).toEqual([["example.com", "verified"]]);
  expect(worker.emails).toHaveLength(1);
  const records = await stand.records();
  expect(records["*.return-path.post.example.com"]).toEqual(RETURN_PATH);
  expect(records["*.track.post.example.com"]).toEqual(["CNAME post.example.com"]);
}

describe("a first run", () => {
  it("goes from nothing to a message that was delivered, and shows what to keep", async () => {
    const { code, text, steps } = await stand.setup(["--yes"]);
    expect(text).not.toContain("FAILED");
    expect(code).toBe(0);
    await expectWhole();
    expect(steps).toMatchObject({ queues: "done", databases: "done", secrets: "done", records: "done", deploy: "done", team: "done", message: "done" });
    const { account, worker } = stand;
    for (const name of SECRETS.filter((secret) => secret !== "DNS_API_TOKEN")) expect(text).toContain(`${name}=${account.secrets?.[name]}`);
    expect(text).not.toContain(ZONE.token);
    expect(text).toContain(worker.teams[0]?.key);
    expect(text).toMatch(/email\.sent\n.*email\.delivered {2}2\.0\.0 simulated/);
    expect(text).toContain("WORKER_URL=https://post.example.com RETURN_PATH=true");
  });

  it("makes secrets that the worker takes, and hands them over by standard input alone", async () => {
    await stand.setup(["--yes"]);
    const secrets = stand.account.secrets ?? {};
    expect(Buffer.from(secrets["KEY_ENCRYPTION_KEY"] ?? "", "base64")).toHaveLength(32);
    expect(secrets["SIGNING_KEY"]?.length).toBeGreaterThanOrEqual(32);
    expect(new Set(Object.values(secrets)).size).toBe(SECRETS.length);
    const argumentsGiven = JSON.stringify(stand.calls.map(({ argv }) => argv));
    for (const value of Object.values(secrets)) expect(argumentsGiven).not.toContain(value);
  });

  it("migrates before it deploys, and creates first what a deployment does not", async () => {
    await stand.setup(["--yes"]);
    const commands = stand.calls.map(({ argv }) => argv.join(" "));
    const at = (beginning: string): number => commands.findIndex((command) => command.startsWith(beginning));
    expect(at("deploy --var")).toBeGreaterThan(at("d1 migrations apply HISTORY_0 --remote"));
    expect(at("deploy --var")).toBeGreaterThan(at("queues create postern-webhook-dead"));
    expect(at("deploy --var")).toBeGreaterThan(at("secret bulk"));
  });

  it("asks for what nobody has said, and says what an answer has to be", async () => {
    const unsaid = { SERVICE_DOMAIN: undefined, EGRESS_URL: undefined, DNS_API_TOKEN: undefined };
    const typed = ["Post.Example", "post.example.com", "", "", "http://mx.example.com", "https://mx.example.com", ZONE.token, "", "", "", "", "", ""];
    const { code, text } = await stand.setup([], unsaid, typed);
    expect(text).toContain("SERVICE_DOMAIN must be a host name in lower case");
    expect(text).toContain("EGRESS_URL must be https");
    expect(text).toContain("[https://post.example.com]:");
    expect(code).toBe(0);
    await expectWhole();
  });

  it("names everything that is missing or wrong, where nobody can be asked", async () => {
    const { code, text } = await stand.setup(["--yes"], { SERVICE_DOMAIN: "postern.example", EGRESS_URL: undefined, DNS_API_TOKEN: undefined, OUTBOUND: "pigeon" });
    expect(code).toBe(1);
    expect(text).toContain("SERVICE_DOMAIN is still the example's name; OUTBOUND must be gateway, smtp or cloudflare; DNS_API_TOKEN is missing");
    expect(stand.calls.map(({ argv }) => argv[0])).toEqual(["whoami"]);
  });

  it("goes without a message where the sending domain lies elsewhere, and shows the records that it needs", async () => {
    const { code, text, steps } = await stand.setup(["--yes"], { SENDING_DOMAIN: "mail.elsewhere.org" });
    expect(code).toBe(0);
    expect(steps).toMatchObject({ "sending domain": "skipped", message: "skipped" });
    expect(text).toMatch(/needed +bounces\.mail\.elsewhere\.org {2}CNAME \w{16}\.return-path\.post\.example\.com/);
    expect((await stand.records())["bounces.mail.elsewhere.org"]).toBeUndefined();
  });

  it("sets a relay up in the place of a gateway", async () => {
    const relay = { OUTBOUND: "smtp", SMTP_RELAY_HOST: "smtp.relay.net", SMTP_RELAY_USERNAME: "us", SMTP_RELAY_PASSWORD: "relay-secret" };
    const records = { MX_HOST: "mx1.example.com, mx2.example.com", SPF: "v=spf1 include:relay.net -all" };
    const { code, text } = await stand.setup(["--yes"], { ...relay, ...records, EGRESS_URL: undefined });
    expect(code).toBe(0);
    expect(stand.account.secrets?.["SMTP_RELAY_PASSWORD"]).toBe("relay-secret");
    expect(stand.account.deployments[0]?.variables).toMatchObject({ OUTBOUND: "smtp", EGRESS_URL: "", SMTP_RELAY_HOST: "smtp.relay.net", SMTP_RELAY_PORT: "587" });
    const returnPath = (await stand.records())["*.return-path.post.example.com"];
    expect(returnPath).toEqual(["MX 10 mx1.example.com", "MX 20 mx2.example.com", 'TXT "v=spf1 include:relay.net -all"']);
    expect(text).not.toContain("relay-secret");
  });
});

describe("a run again", () => {
  it("changes nothing where everything is there", async () => {
    await stand.setup(["--yes"]);
    const before = await stand.everything();
    const calls = stand.calls.length;
    const { code, steps } = await stand.setup(["--yes"]);
    expect(code).toBe(0);
    expect(new Set(Object.values(steps))).toEqual(new Set(["already"]));
    expect(await stand.everything()).toEqual(before);
    const again = stand.calls.slice(calls).map(({ argv }) => argv.slice(0, 2).join(" "));
    expect(new Set(again)).toEqual(new Set(["whoami --json", "queues list", "d1 list", "d1 execute", "secret list", "deployments status"]));
  });

  it("needs no answer again, and follows one that changed", async () => {
    await stand.setup(["--yes"]);
    const unsaid = { SERVICE_DOMAIN: undefined, DNS_API_TOKEN: undefined };
    const { code, steps } = await stand.setup(["--yes"], { ...unsaid, EGRESS_URL: "https://gateway.example.com" });
    expect(code).toBe(0);
    expect(steps).toMatchObject({ settings: "changed", secrets: "already", records: "changed", deploy: "changed", team: "already" });
    const returnPath = (await stand.records())["*.return-path.post.example.com"];
    expect(returnPath).toEqual(["MX 10 gateway.example.com", 'TXT "v=spf1 a:gateway.example.com -all"']);
    expect(stand.account.deployments.at(-1)?.variables["EGRESS_URL"]).toBe("https://gateway.example.com");
  });

  it("deploys with the same variables by npm run deploy's program", async () => {
    await stand.setup(["--yes"]);
    const { variables, domains } = stand.account.deployments[0] ?? {};
    const { code, text } = await stand.deploy();
    expect(text).toContain("deploy");
    expect(code).toBe(0);
    expect(stand.account.deployments).toHaveLength(2);
    expect(stand.account.deployments[1]).toMatchObject({ variables, domains });
  });

  it("refuses another service domain", async () => {
    await stand.setup(["--yes"]);
    const before = await stand.everything();
    const { code, text } = await stand.setup(["--yes"], { SERVICE_DOMAIN: "other.example.com" });
    expect(code).toBe(1);
    expect(text).toContain("SERVICE_DOMAIN was post.example.com and is other.example.com now");
    expect(await stand.everything()).toEqual(before);
  });

  it("puts the DNS token anew when it changed, and nothing else", async () => {
    await stand.setup(["--yes"]);
    const before = stand.account.secrets;
    const { steps } = await stand.setup(["--yes"], { SMTP_RELAY_PASSWORD: "unused", ADMIN_TOKEN: "another-admin-token" });
    expect(steps).toMatchObject({ secrets: "changed", team: "already" });
    expect(stand.account.secrets).toEqual({ ...before, ADMIN_TOKEN: "another-admin-token" });
  });
});

describe("a run that is cut short", () => {
  const faults: Fault[] = ["queues create postern-dns-cleanup", "d1 create postern-history-0", "d1 migrations apply DB", "secret bulk", "deploy"].flatMap((at) => [
    { at, kind: "kill_before" as const },
    { at, kind: "kill_after" as const },
  ]);

  it("goes on where it was, whichever command it was killed at", async () => {
    const seen: (Record<string, string> | null)[] = [];
    for (const fault of faults) {
      stand.change({ fault });
      const { code } = await stand.setup(["--yes"]);
      expect([fault, code]).toEqual([fault, null]);
      seen.push(stand.account.secrets);
    }
    const { code } = await stand.setup(["--yes"]);
    expect(code).toBe(0);
    await expectWhole();
    // The secrets of the first upload are the secrets for good.
    const uploads = seen.filter((secrets) => secrets !== null && Object.keys(secrets).length > 0);
    expect(uploads.length).toBeGreaterThan(1);
    expect(new Set(uploads.map((secrets) => secrets?.["KEY_ENCRYPTION_KEY"]))).toEqual(new Set([stand.account.secrets?.["KEY_ENCRYPTION_KEY"]]));
  });

  it("has the same secrets afterwards, when it was killed as they were uploaded", async () => {
    stand.change({ fault: { at: "secret bulk", kind: "kill_after" } });
    await stand.setup(["--yes"]);
    const uploaded = stand.account.secrets;
    expect(stand.kept?.secrets).toMatchObject(uploaded ?? {});
    const { text } = await stand.setup(["--yes"]);
    expect(text).toMatch(/(?:already|changed) +secrets/);
    expect(stand.account.secrets).toEqual(uploaded);
  });

  it.each([0, 1, 2, 3, 4, 5])("goes on after %i records were published", async (after) => {
    await stand.faults({ api: { status: 500, after, method: "POST" } });
    const { code, text } = await stand.setup(["--yes"]);
    expect(code).toBe(1);
    expect(text).toMatch(/FAILED +(?:records|sending domain) +publishing \w+ .*HTTP 500/);
    await stand.faults({});
    expect((await stand.setup(["--yes"])).code).toBe(0);
    await expectWhole();
  });

  it("makes the team again whose key was lost on the way, and never a second one", async () => {
    stand.worker.losesTeam = true;
    const { code, text } = await stand.setup(["--yes"]);
    expect(code).toBe(1);
    expect(text).toMatch(/FAILED +team +POST/);
    const [lost] = stand.worker.teams;
    const again = await stand.setup(["--yes"]);
    expect(again.text).toContain("made again");
    expect(again.code).toBe(0);
    await expectWhole();
    expect(stand.worker.teams[0]?.id).not.toBe(lost?.id);
  });

  it("leaves a team of that name alone that it did not make", async () => {
    const theirs = stand.worker.addTeam("First team", new Date("2026-01-01T00:00:00Z"));
    const { code, text, steps } = await stand.setup(["--yes"]);
    expect(code).toBe(0);
    expect(stand.worker.teams).toEqual([theirs]);
    expect(text).toContain("its key is not known here (set API_KEY");
    expect(steps).toMatchObject({ team: "already", "sending domain": "skipped", message: "skipped" });
    expect((await stand.setup(["--yes"], { API_KEY: theirs.key })).steps).toMatchObject({ "sending domain": "done", message: "done" });
  });

  it("sends the same message again when its answer was lost, and the worker knows it", async () => {
    stand.worker.delivers = false;
    const { code, text } = await stand.setup(["--yes"], { POSTERN_WAIT: "1" });
    expect(code).toBe(1);
    expect(text).toMatch(/FAILED +message +email_.* is not delivered yet \(queued\)/);
    stand.worker.delivers = true;
    expect((await stand.setup(["--yes"])).code).toBe(0);
    expect(stand.worker.emails).toHaveLength(1);
  });
});

describe("a dry run", () => {
  it("says what it would do, and changes nothing", async () => {
    const before = await stand.everything();
    const { code, text, steps } = await stand.setup(["--yes", "--dry-run"]);
    expect(code).toBe(0);
    expect(steps).toMatchObject({ queues: "would", databases: "would", secrets: "would", records: "would", deploy: "would", team: "would", message: "would" });
    expect(text).toContain("KEY_ENCRYPTION_KEY (generated)");
    expect(text).toContain("MX 10 mx.example.com");
    expect(text).toContain("Nothing was changed.");
    expect(await stand.everything()).toEqual(before);
    expect(stand.kept).toBeNull();
    const verbs = stand.calls.map(({ argv }) => argv.slice(0, 2).join(" "));
    expect(new Set(verbs)).toEqual(new Set(["whoami --json", "queues list", "d1 list", "secret list", "deployments status"]));
    expect(stand.worker.calls.filter((call) => !call.startsWith("GET"))).toEqual([]);
  });

  it("finds nothing to do after a whole run", async () => {
    await stand.setup(["--yes"]);
    const before = await stand.everything();
    const { steps } = await stand.setup(["--yes", "--dry-run"]);
    expect(new Set(Object.values(steps))).toEqual(new Set(["already"]));
    expect(await stand.everything()).toEqual(before);
  });
});

describe("what is in the way", () => {
  it("is named: no login", async () => {
    stand.change({ loggedIn: false });
    const { code, text } = await stand.setup(["--yes"]);
    expect(code).toBe(1);
    expect(text).toMatch(/FAILED +login +wrangler is not logged in to Cloudflare\n +→ run npx wrangler login, or set CLOUDFLARE_API_TOKEN/);
    expect(stand.calls).toHaveLength(1);
  });

  it("is named: several accounts", async () => {
    const accounts = [
      { id: "acc1", name: "One" },
      { id: "acc2", name: "Two" },
    ];
    stand.change({ accounts });
    const { code, text } = await stand.setup(["--yes"]);
    expect([code, text]).toEqual([1, expect.stringContaining("acc1 (One), acc2 (Two)")]);
    expect((await stand.setup(["--yes"], { CLOUDFLARE_ACCOUNT_ID: "acc2" })).code).toBe(0);
  });

  it.each([
    ["queues list", "queues", "Account · Queues · Edit"],
    ["d1 list", "databases", "Account · D1 · Edit"],
    ["secret list", "secrets", "Account · Workers Scripts · Edit"],
    ["deploy", "deploy", "Account · Workers R2 Storage · Edit"],
  ])("is named: wrangler may not %s", async (at, step, permission) => {
    const says = "A request to the Cloudflare API (/accounts/acc1) failed.\n  Authentication error [code: 10000]";
    stand.change({ fault: { at, kind: "fail", says } });
    const { code, text } = await stand.setup(["--yes"]);
    expect(code).toBe(1);
    expect(text).toMatch(new RegExp(`FAILED +${step} .*Authentication error \\[code: 10000\\]`));
    expect(text).toMatch(new RegExp(`→ .*${permission}`));
  });

  it("is named: a DNS token that opens nothing, or may not write", async () => {
    const wrong = await stand.setup(["--yes"], { DNS_API_TOKEN: "wrong" });
    expect(wrong.code).toBe(1);
    expect(wrong.text).toMatch(/FAILED +zone .*Invalid access token \[code: 9109\]\n +→ DNS_API_TOKEN needs Zone · DNS · Edit/);
    expect(stand.account.queues).toEqual([]);
    await stand.faults({ api: { status: 403, after: 0, method: "POST" } });
    const reading = await stand.setup(["--yes"]);
    expect(reading.text).toMatch(/FAILED +records +publishing MX \*\.return-path\.post\.example\.com: .*HTTP 403.*\n +→ DNS_API_TOKEN needs Zone · DNS · Edit/);
  });

  it("is named: a zone that does not hold the service domain", async () => {
    const { text } = await stand.setup(["--yes"], { SERVICE_DOMAIN: "post.example.org" });
    expect(text).toContain("no zone that the DNS token may see holds post.example.org");
    const given = await stand.setup(["--yes"], { SERVICE_DOMAIN: "post.example.org", DNS_ZONE_ID: ZONE.id });
    expect(given.text).toContain(`the zone ${ZONE.id} is example.com, which does not hold post.example.org`);
  });

  it.each([
    ["*.return-path.post.example.com", "MX", "5 mail.other.net", "MX 5 mail.other.net"],
    ["*.return-path.post.example.com", "TXT", "v=spf1 include:other.net ~all", "TXT v=spf1 include:other.net ~all"],
    ["*.track.post.example.com", "A", "192.0.2.7", "A 192.0.2.7"],
    ["bounces.example.com", "CNAME", "bounces.other.net", "CNAME bounces.other.net"],
  ])("is named and left alone: another record at %s (%s)", async (name, type, data, words) => {
    await stand.putRecord(name, type, data);
    const { code, text } = await stand.setup(["--yes"]);
    expect(code).toBe(1);
    expect(text).toContain(`${name} has ${words} already`);
    expect(text).toContain("nothing was overwritten");
    expect((await stand.records())[name]).toContain(type === "MX" ? words : `${type} ${data}`);
    const replaced = await stand.setup(["--yes", "--dns-conflict=replace"]);
    expect(replaced.code).toBe(0);
    expect((await stand.records())[name]).not.toContain(type === "MX" ? words : `${type} ${data}`);
    await expectWhole();
  });

  it("is kept where the operator says that it does the same", async () => {
    await stand.putRecord("*.track.post.example.com", "A", "192.0.2.7");
    const { code, text } = await stand.setup(["--yes", "--dns-conflict=keep"]);
    expect(code).toBe(0);
    expect(text).toContain("what stands there was kept");
    expect((await stand.records())["*.track.post.example.com"]).toEqual(["A 192.0.2.7"]);
  });

  it("is asked about, where there is somebody to ask", async () => {
    await stand.setup(["--yes"]);
    await stand.putRecord("*.return-path.post.example.com", "TXT", "v=spf1 -all");
    expect((await stand.setup([], {}, ["stop"])).code).toBe(1);
    expect((await stand.records())["*.return-path.post.example.com"]).toContain("TXT v=spf1 -all");
    expect((await stand.setup([], {}, ["replace"])).code).toBe(0);
    expect((await stand.records())["*.return-path.post.example.com"]).toEqual(RETURN_PATH);
  });

  it("stands beside other texts of the same name", async () => {
    await stand.putRecord("*.return-path.post.example.com", "TXT", "google-site-verification=1");
    expect((await stand.setup(["--yes"])).code).toBe(0);
    expect((await stand.records())["*.return-path.post.example.com"]).toHaveLength(3);
  });

  it("is named before the worker would take it: a web record at the public URL's host", async () => {
    await stand.putRecord("post.example.com", "A", "192.0.2.9");
    const { code, text } = await stand.setup(["--yes"]);
    expect(code).toBe(1);
    expect(text).toContain("post.example.com has A 192.0.2.9 already, where the worker's custom domain belongs; nothing was overwritten");
    expect(stand.account.deployments).toEqual([]);
    expect((await stand.setup(["--yes", "--dns-conflict=keep"])).code).toBe(0);
    expect(stand.account.deployments[0]?.domains).toEqual([]);
  });
});

describe("the key that seals data", () => {
  it("is never overwritten", async () => {
    await stand.setup(["--yes"]);
    const key = stand.account.secrets?.["KEY_ENCRYPTION_KEY"];
    const { code, text } = await stand.setup(["--yes"], { KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64") });
    expect(code).toBe(1);
    expect(text).toContain("the worker has another KEY_ENCRYPTION_KEY already, and it is never overwritten");
    expect(stand.account.secrets?.["KEY_ENCRYPTION_KEY"]).toBe(key);
  });

  it("is not overwritten by a set-up that knows nothing of an earlier one", async () => {
    const theirs = { ADMIN_TOKEN: "a", GATEWAY_TOKEN: "g", SIGNING_KEY: "s".repeat(32), KEY_ENCRYPTION_KEY: "theirs" };
    stand.change({ secrets: theirs });
    const blind = await stand.setup(["--yes"]);
    expect(blind.text).toContain("the worker has an ADMIN_TOKEN that is not known here");
    const { code } = await stand.setup(["--yes"], { ADMIN_TOKEN: "a", KEY_ENCRYPTION_KEY: "mine" });
    expect(code).toBe(0);
    expect(stand.account.secrets).toEqual({ ...theirs, DNS_API_TOKEN: ZONE.token });
  });

  it("is not made anew beside data that another one sealed", async () => {
    stand.change({ databases: { "postern-core": ["0000_resources.sql"] }, sealed: { "postern-core": 4 } });
    const { code, text } = await stand.setup(["--yes"]);
    expect(code).toBe(1);
    expect(text).toContain("postern-core holds 4 DKIM keys and webhook secrets that a KEY_ENCRYPTION_KEY sealed");
    expect(stand.account.secrets).toBeNull();
    const kept = Buffer.alloc(32, 9).toString("base64");
    expect((await stand.setup(["--yes"], { KEY_ENCRYPTION_KEY: kept })).code).toBe(0);
    expect(stand.account.secrets?.["KEY_ENCRYPTION_KEY"]).toBe(kept);
  });
});
