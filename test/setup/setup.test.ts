// Tests what a first `npm run setup` promises, against doubles of all services that it calls: it
// creates a deployment. setup-again.test.ts tests later runs and dry runs, setup-trouble.test.ts
// tests obstacles.
import { describe, expect, it } from "vitest";
import {
  continueFinished,
  expectRun,
  expectFinished,
  finished,
  firstRun,
  harness,
  RETURN_PATH,
  SECRETS,
  useSetup,
} from "./finished-setup.ts";
import { ZONE } from "./test-zone.ts";

useSetup();

describe("a first run", () => {
  it("leads from nothing to a delivered message, and prints what to keep", async () => {
    const { code, text, steps } = firstRun;
    expect(text).not.toContain("FAILED");
    expect(code).toBe(0);
    await continueFinished();
    await expectFinished(harness);
    for (const step of "queues databases secrets records deploy team message".split(" "))
      expect([step, steps[step]]).toEqual([step, "done"]);
    const { account, worker } = finished;
    for (const name of SECRETS.filter((secret) => secret !== "DNS_API_TOKEN"))
      expect(text).toContain(`${name}=${account.secrets?.[name]}`);
    expect(text).not.toContain(ZONE.token);
    expect(text).toContain(worker.teams[0]?.key);
    expect(text).toMatch(/email\.sent\n.*email\.delivered {2}2\.0\.0 simulated/);
    expect(text).toMatch(
      /GATEWAY_HOSTNAME=mx\.example\.com\n +WORKER_URL=https:\/\/post\.example\.com\n/,
    );
    expect(text).toContain("smtp-gateway/systemd/postern-gateway.service");
    expect(text).toContain("A resolver that asked before they existed may take up to 30 minutes");
    // The output shows each secret exactly once.
    for (const secret of [worker.teams[0]?.key, account.secrets?.["GATEWAY_TOKEN"]])
      expect(text.split(String(secret))).toHaveLength(2);
  });

  it("generates valid secrets, and passes them by standard input alone", () => {
    const secrets = finished.account.secrets ?? {};
    expect(Buffer.from(secrets["KEY_ENCRYPTION_KEY"] ?? "", "base64")).toHaveLength(32);
    expect(secrets["SIGNING_KEY"]?.length).toBeGreaterThanOrEqual(32);
    expect(new Set(Object.values(secrets)).size).toBe(SECRETS.length);
    const argumentsGiven = JSON.stringify(finished.calls.map(({ argv }) => argv));
    for (const value of Object.values(secrets)) expect(argumentsGiven).not.toContain(value);
  });

  it("creates everything that a deployment does not create, then migrates, then deploys", () => {
    const commands = finished.calls.map(({ argv }) => argv.join(" "));
    const at = (words: string) => commands.findIndex((command) => command.startsWith(words));
    expect(at("deploy --var")).toBeGreaterThan(at("d1 migrations apply SHARD_0 --remote"));
    expect(at("deploy --var")).toBeGreaterThan(at("queues create postern-webhook-dead"));
    expect(at("deploy --var")).toBeGreaterThan(at("secret bulk"));
  });

  it("asks for missing answers, and explains an invalid one", async () => {
    const unsaid = { SERVICE_DOMAIN: undefined, EGRESS_URL: undefined, DNS_API_TOKEN: undefined };
    const domain = ["Post.Example", "post.example.com", ""];
    const courier = ["gateway", "", "http://mx.example.com", "https://mx.example.com"];
    const typed = [...domain, ...courier, ZONE.token, "", "", "", "", ""];
    const { code, text } = await harness.setup([], unsaid, typed);
    expect(text).toContain("SERVICE_DOMAIN must be a host name in lower case");
    expect(text).toContain("EGRESS_URL must be https");
    expect(text).toContain("[https://post.example.com]:");
    expect(text).toContain("[cloudflare]:");
    expect(text).not.toContain("Id of the zone");
    expect(code).toBe(0);
    await expectFinished(harness);
  });

  it.each([
    [
      { SERVICE_DOMAIN: "postern.example", OUTBOUND: "pigeon" },
      "SERVICE_DOMAIN is still the example's name; OUTBOUND must be one of gateway, smtp, cloudflare; " +
        "DNS_API_TOKEN is missing",
    ],
    [
      { SERVICE_DOMAIN: undefined, OUTBOUND: "gateway" },
      "SERVICE_DOMAIN is missing; EGRESS_URL is missing; DNS_API_TOKEN is missing",
    ],
    [
      { SERVICE_NAME: "post" },
      "DNS_API_TOKEN is missing; SERVICE_NAME must be 5 to 15 letters, digits, dots and hyphens",
    ],
  ])("names only the missing or wrong setting, not its consequences: %j", async (given, says) => {
    const unsaid = { EGRESS_URL: undefined, DNS_API_TOKEN: undefined };
    await expectRun(1, `settings         ${says}\n`, { ...unsaid, ...given });
    expect(harness.calls.map(({ argv }) => argv[0])).toEqual(["whoami"]);
  });

  it("sends no message if the sending domain is in another zone, and prints the records it needs", async () => {
    const elsewhere = { SENDING_DOMAIN: "mail.elsewhere.org" };
    const { code, text, steps } = await harness.run(elsewhere);
    expect(code).toBe(0);
    expect(steps).toMatchObject({ "sending domain": "skipped", message: "skipped" });
    expect(text).toMatch(
      /needed +bounces\.mail\.elsewhere\.org {2}CNAME \w{16}\.return-path\.post\.example\.com/,
    );
    expect((await harness.records())["bounces.mail.elsewhere.org"]).toBeUndefined();
    for (const { name, value } of harness.worker.domains[0]?.dns_records ?? [])
      await harness.dns.put(`${name}.elsewhere.org`, "CNAME", value);
    const again = (await harness.run()).steps;
    expect(again).toMatchObject({ "sending domain": "done", message: "done" });
  });

  it("sets up a relay instead of a gateway", async () => {
    const relay = {
      OUTBOUND: "smtp",
      SMTP_RELAY_HOST: "smtp.relay.net",
      SMTP_RELAY_USERNAME: "us",
      SMTP_RELAY_PASSWORD: "relay-secret",
    };
    const [MX_HOST, SPF] = ["mx1.example.com, mx2.example.com", "v=spf1 include:relay.net -all"];
    const { code, text } = await harness.run({ ...relay, MX_HOST, SPF, EGRESS_URL: undefined });
    expect(code).toBe(0);
    expect(harness.account.secrets?.["SMTP_RELAY_PASSWORD"]).toBe("relay-secret");
    expect(harness.variables).toMatchObject({
      OUTBOUND: "smtp",
      EGRESS_URL: "",
      SMTP_RELAY_HOST: "smtp.relay.net",
      SMTP_RELAY_PORT: "587",
    });
    expect(await harness.returnPath()).toEqual([
      "MX 10 mx1.example.com",
      "MX 20 mx2.example.com",
      'TXT "v=spf1 include:relay.net -all"',
    ]);
    expect(text).not.toContain("relay-secret");
  });
});

it("a wrong option and its usage are printed as an error", async () => {
  const { code, text } = await harness.setup(["--dns-conflict=overwrite"]);
  expect([code, text]).toEqual([1, "setup: --dns-conflict is one of stop, replace, keep\n"]);
});

describe("several gateways", () => {
  it("with the same name share one MX record", async () => {
    const urls = "https://mx.example.com:8443,https://mx.example.com:9443";
    await harness.run({ EGRESS_URL: urls });
    expect(await harness.returnPath()).toEqual(RETURN_PATH);
  });

  it("all appear in the settings, and all take bounces", async () => {
    const EGRESS_URL = "https://mx-a.example.com, https://mx-b.example.com";
    const { code, text } = await harness.run({ EGRESS_URL });
    expect(code).toBe(0);
    expect(text).toContain("the gateway, on mx-a.example.com and on mx-b.example.com");
    expect(text).toContain("GATEWAY_HOSTNAME=mx-a.example.com   (on the other mx-b.example.com)");
    expect(harness.variables).toMatchObject({ EGRESS_URL });
    expect(await harness.returnPath()).toEqual([
      "MX 10 mx-a.example.com",
      "MX 20 mx-b.example.com",
      'TXT "v=spf1 a:mx-a.example.com a:mx-b.example.com -all"',
    ]);
  });
});
