// What `npm run setup` does when something is in the way, run as a program against doubles of
// everything it calls: a run that is cut short anywhere is taken up again, what somebody else has
// put there is named and left alone, and the key that seals data survives everything.
import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { WranglerFault } from "./fake-wrangler.ts";
import { SetupHarness, ZONE } from "./setup-harness.ts";
import { expectWhole, RETURN_PATH } from "./whole.ts";

let stand: SetupHarness;
/** Where set-up has run once. */
let whole: SetupHarness;

beforeAll(async () => {
  whole = await SetupHarness.start();
  await whole.setup(["--yes"]);
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

describe("a run that is cut short", () => {
  const faults: WranglerFault[] = [
    "queues create postern-dns-cleanup",
    "d1 migrations apply DB",
    "d1 create postern-shard-0",
    "secret bulk",
    "deploy --var",
  ].flatMap((at) => [
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
    await expectWhole(stand);
    // The secrets of the first upload are the secrets for good.
    const uploads = seen.filter((secrets) => secrets !== null && Object.keys(secrets).length > 0);
    expect(uploads.length).toBeGreaterThan(1);
    expect(new Set(uploads.map((secrets) => secrets?.["KEY_ENCRYPTION_KEY"]))).toEqual(
      new Set([stand.account.secrets?.["KEY_ENCRYPTION_KEY"]]),
    );
  }, 240_000);

  it("goes on after every record that was published", async () => {
    await stand.faults({ api: { status: 500, after: 1, method: "POST" } });
    const failed: string[] = [];
    for (let runs = 0; runs < 8; runs += 1) {
      const { code, text } = await stand.setup(["--yes"]);
      failed.push(
        /FAILED +(?:records|sending domain) +publishing (\w+ \S+): .*HTTP 500/.exec(text)?.[1] ??
          `exit ${code}`,
      );
      await stand.faults({ api: { status: 500, after: 1, method: "POST" } });
    }
    const service = ["TXT *.return-path.post", "CNAME *.track.post", "MX feedback.post", "MX post"];
    const published = [...service, "CNAME bounces", "CNAME ps1._domainkey", "CNAME ps2._domainkey"];
    expect(failed).toEqual([...published.map((record) => `${record}.example.com`), "exit 0"]);
    await expectWhole(stand);
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
    await expectWhole(stand);
    expect(stand.worker.teams[0]?.id).not.toBe(lost?.id);
  });

  it("leaves a team of that name alone that it did not make", async () => {
    const theirs = stand.worker.addTeam("First team", new Date("2026-01-01T00:00:00Z"));
    const { code, text, steps } = await stand.setup(["--yes"]);
    expect(code).toBe(0);
    expect(stand.worker.teams).toEqual([theirs]);
    expect(text).toContain("its key is not known here (set API_KEY");
    expect(steps).toMatchObject({
      team: "already",
      "sending domain": "skipped",
      message: "skipped",
    });
    expect((await stand.setup(["--yes"], { API_KEY: theirs.key })).steps).toMatchObject({
      "sending domain": "done",
      message: "done",
    });
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

describe("what is in the way", () => {
  it("is named: no login", async () => {
    stand.change({ loggedIn: false });
    const { code, text } = await stand.setup(["--yes"]);
    expect(code).toBe(1);
    expect(text).toMatch(
      /FAILED +login +wrangler is not logged in to Cloudflare\n +→ run npx wrangler login, or set CLOUDFLARE_API_TOKEN/,
    );
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
    ["deploy --var", "deploy", "Account · Workers R2 Storage · Edit"],
  ])("is named: wrangler may not %s", async (at, step, permission) => {
    const says =
      "A request to the Cloudflare API (/accounts/acc1) failed.\n  Authentication error [code: 10000]";
    stand.change({ fault: { at, kind: "fail", says } });
    const { code, text } = await stand.setup(["--yes"]);
    expect(code).toBe(1);
    expect(text).toMatch(new RegExp(`FAILED +${step} .*Authentication error \\[code: 10000\\]`));
    expect(text).toMatch(new RegExp(`→ .*${permission}`));
  });

  it("is named: a DNS token that opens nothing, or may not write", async () => {
    const wrong = await stand.setup(["--yes"], { DNS_API_TOKEN: "wrong" });
    expect(wrong.code).toBe(1);
    expect(wrong.text).toMatch(
      /FAILED +zone .*Invalid access token \[code: 9109\]\n +→ DNS_API_TOKEN needs Zone · DNS · Edit/,
    );
    expect(stand.account.queues).toEqual([]);
    await stand.faults({ api: { status: 403, after: 0, method: "POST" } });
    const reading = await stand.setup(["--yes"]);
    expect(reading.text).toMatch(
      /FAILED +records +publishing MX \*\.return-path\.post\.example\.com: .*HTTP 403.*\n +→ DNS_API_TOKEN needs Zone · DNS · Edit/,
    );
  });

  it("is named: a zone that does not hold the service domain", async () => {
    const { text } = await stand.setup(["--yes"], { SERVICE_DOMAIN: "post.example.org" });
    expect(text).toContain("no zone that the DNS token may see holds post.example.org");
    const given = await stand.setup(["--yes"], {
      SERVICE_DOMAIN: "post.example.org",
      DNS_ZONE_ID: ZONE.id,
    });
    expect(given.text).toContain(
      `the zone ${ZONE.id} is example.com, which does not hold post.example.org`,
    );
  });

  it("is named and left alone: other records where ours belong", async () => {
    const theirs = [
      ["*.return-path.post.example.com", "MX", "5 mail.other.net"],
      ["*.return-path.post.example.com", "TXT", "v=spf1 include:other.net ~all"],
      ["*.track.post.example.com", "A", "192.0.2.7"],
      ["bounces.example.com", "CNAME", "bounces.other.net"],
    ] as const;
    for (const [name, type, data] of theirs) await stand.putRecord(name, type, data);
    const before = await stand.records();
    const { code, text } = await stand.setup(["--yes"]);
    expect(code).toBe(1);
    expect(text).toContain(
      "*.return-path.post.example.com has MX 5 mail.other.net already, where MX 10 mx.example.com belongs; nothing was overwritten",
    );
    expect(await stand.records()).toEqual(before);
    expect((await stand.setup(["--yes", "--dns-conflict=replace"])).code).toBe(0);
    await expectWhole(stand);
    for (const [name, type, data] of theirs)
      expect((await stand.records())[name]).not.toContain(`${type} ${data}`);
  });

  it("is kept where the operator says that it does the same", async () => {
    await stand.putRecord("*.track.post.example.com", "A", "192.0.2.7");
    const { code, text } = await stand.setup(["--yes", "--dns-conflict=keep"]);
    expect(code).toBe(0);
    expect(text).toContain("what stands there was kept");
    expect((await stand.records())["*.track.post.example.com"]).toEqual(["A 192.0.2.7"]);
  });

  it("is asked about, where there is somebody to ask", async () => {
    await afterFirst();
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

  it.each(["stop", "replace"])(
    "stays where it takes the service's own mailboxes, with --dns-conflict=%s",
    async (policy) => {
      await stand.putRecord("post.example.com", "MX", "5 mail.other.net");
      await stand.putRecord("feedback.post.example.com", "MX", "5 mail.other.net");
      const { code, text } = await stand.setup(["--yes", `--dns-conflict=${policy}`], {
        POSTMASTER_ADDRESS: "me@example.org",
      });
      expect(code, text).toBe(0);
      expect(text).toMatch(
        /kept +post\.example\.com {2}MX 10 mx\.example\.com \(what stands there was kept\)/,
      );
      const records = await stand.records();
      expect(records["post.example.com"]).toEqual(["MX 5 mail.other.net"]);
      expect(records["feedback.post.example.com"]).toEqual(["MX 5 mail.other.net"]);
      expect(stand.account.deployments.at(-1)?.variables).toMatchObject({
        POSTMASTER_ADDRESS: "me@example.org",
      });
    },
  );

  it("is named before the worker would take it: a web record at the public URL's host", async () => {
    await stand.putRecord("post.example.com", "A", "192.0.2.9");
    const { code, text } = await stand.setup(["--yes"]);
    expect(code).toBe(1);
    expect(text).toContain(
      "post.example.com has A 192.0.2.9 already, where the worker's custom domain belongs; nothing was overwritten",
    );
    expect(stand.account.secrets).toBeNull();
    expect((await stand.setup(["--yes", "--dns-conflict=keep"])).code).toBe(0);
    expect(stand.account.deployments.at(-1)?.domains).toEqual([]);
  });
});

describe("the key that seals data", () => {
  it("is never overwritten", async () => {
    await afterFirst();
    const key = stand.account.secrets?.["KEY_ENCRYPTION_KEY"];
    const { code, text } = await stand.setup(["--yes"], {
      KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    });
    expect(code).toBe(1);
    expect(text).toContain(
      "the worker has another KEY_ENCRYPTION_KEY already, and it is never overwritten",
    );
    expect(stand.account.secrets?.["KEY_ENCRYPTION_KEY"]).toBe(key);
  });

  it("is not overwritten by a set-up that knows nothing of an earlier one", async () => {
    const theirs = {
      ADMIN_TOKEN: "a".repeat(32),
      GATEWAY_TOKEN: "g",
      SIGNING_KEY: "s".repeat(32),
      KEY_ENCRYPTION_KEY: "theirs",
    };
    stand.change({ secrets: theirs });
    const blind = await stand.setup(["--yes"]);
    expect(blind.text).toContain("the worker has an ADMIN_TOKEN that is not known here");
    const { code } = await stand.setup(["--yes"], {
      ADMIN_TOKEN: "a".repeat(32),
      KEY_ENCRYPTION_KEY: "mine",
    });
    expect(code).toBe(0);
    expect(stand.account.secrets).toEqual({ ...theirs, DNS_API_TOKEN: ZONE.token });
  });

  it("is refused before anything is uploaded where the worker would not run with it", async () => {
    const { code, text } = await stand.setup(["--yes"], { ADMIN_TOKEN: "a".repeat(31) });
    expect(code).toBe(1);
    expect(text).toContain("ADMIN_TOKEN has fewer than 32 characters");
    expect(stand.account.secrets).toBeNull();
  });

  it("is not made anew beside data that another one sealed", async () => {
    stand.change({
      databases: { "postern-core": ["0000_resources.sql"] },
      sealed: { "postern-core": 4 },
    });
    const { code, text } = await stand.setup(["--yes"]);
    expect(code).toBe(1);
    expect(text).toContain(
      "postern-core holds 4 DKIM keys and webhook secrets that a KEY_ENCRYPTION_KEY sealed",
    );
    expect(stand.account.secrets).toBeNull();
    const kept = Buffer.alloc(32, 9).toString("base64");
    expect((await stand.setup(["--yes"], { KEY_ENCRYPTION_KEY: kept })).code).toBe(0);
    expect(stand.account.secrets?.["KEY_ENCRYPTION_KEY"]).toBe(kept);
  });
});
