// Tests the settings (src/settings.ts). A missing or malformed setting stops the deployment, and
// the error names this setting. A secret that a developer's machine made for itself stops every
// other deployment.
import { describe, expect, it, vi } from "vitest";
import { isLocal, settingsOf } from "../../src/settings.ts";
import { bindings } from "../support/api.ts";

const RELAY = {
  SMTP_RELAY_HOST: "smtp.relay.example",
  SMTP_RELAY_PORT: "587",
  SMTP_RELAY_USERNAME: "postern",
  SMTP_RELAY_PASSWORD: "secret",
};
const NO_RELAY = Object.fromEntries(Object.keys(RELAY).map((name) => [name, undefined]));

const settings = (change: Record<string, unknown>) => settingsOf({ ...bindings, ...change });

describe("OUTBOUND", () => {
  it.each(["gateway", "smtp", "cloudflare"])("may be %s", (outbound) => {
    expect(settings({ OUTBOUND: outbound, ...RELAY }).outbound).toBe(outbound);
  });

  it.each([
    ["OUTBOUND", { OUTBOUND: undefined }],
    ["OUTBOUND", { OUTBOUND: "pigeon" }],
    ["EGRESS_URL", { OUTBOUND: "gateway", EGRESS_URL: undefined }],
    ["EGRESS_URL", { EGRESS_URL: "," }],
    ["EGRESS_URL", { EGRESS_URL: "egress.example.com" }],
    ["EGRESS_URL", { EGRESS_URL: "https://a.example.com,ftp://b.example.com" }],
    ["EGRESS_URL", { EGRESS_URL: "https://a.example.com https://b.example.com" }],
    ["OUTBOUND", { OUTBOUND: "cloudflare", EMAIL: undefined }],
    ["SMTP_RELAY_HOST", { OUTBOUND: "smtp", ...NO_RELAY }],
    ...Object.keys(RELAY).flatMap((name): [string, Record<string, unknown>][] => [
      [name, { OUTBOUND: "smtp", ...RELAY, [name]: undefined }],
      [name, { OUTBOUND: "gateway", ...RELAY, [name]: "" }],
    ]),
    ["SMTP_RELAY_HOST", { ...RELAY, SMTP_RELAY_HOST: "not a host" }],
    ["SMTP_RELAY_PORT", { ...RELAY, SMTP_RELAY_PORT: "25" }],
    ["SMTP_RELAY_PORT", { ...RELAY, SMTP_RELAY_PORT: "smtp" }],
    ["SMTP_RELAY_PORT", { ...RELAY, SMTP_RELAY_PORT: "70000" }],
    ["SMTP_RELAY_PASSWORD", { ...RELAY, SMTP_RELAY_PASSWORD: "a\0b" }],
  ])("throws an error that names a wrong %s", (name, change) => {
    expect(() => settings(change)).toThrow(name);
  });

  it("needs no gateway for another courier", () => {
    const relayed = settings({ OUTBOUND: "smtp", EGRESS_URL: undefined, ...RELAY });
    expect(relayed.egressUrls).toEqual([]);
  });

  it("reads several gateways without duplicates", () => {
    const given =
      "https://egress-a.example.com/, https://egress-b.example.com:8443/out " +
      ",https://egress-a.example.com";
    expect(settings({ EGRESS_URL: given }).egressUrls).toEqual([
      "https://egress-a.example.com",
      "https://egress-b.example.com:8443/out",
    ]);
  });

  it("needs no relay for the gateway", () => {
    expect(settings({ OUTBOUND: "gateway", ...NO_RELAY })).toMatchObject({ relay: null });
  });
});

describe("SERVICE_NAME", () => {
  it.each([
    ["the given one", "Acme-Mail.1", "post.example.com", "Acme-Mail.1"],
    ["the shortest", "acme1", "post.example.com", "acme1"],
    ["the longest", "a".repeat(15), "post.example.com", "a".repeat(15)],
    ["by default a domain that fits", undefined, "Mail.Acme.test", "mail.acme.test"],
    ["by default a domain of 15 characters", "", "mail.acmes.test", "mail.acmes.test"],
    ["by default a longer domain's beginning", "", "post.example.test", /^post\.exa-[0-9a-f]{6}$/],
    ["by default a shorter domain with more", "", "a.b", /^a\.b-[0-9a-f]{6}$/],
    ["by default a domain without its odd signs", "", "_\u00e4.test", /^\.test-[0-9a-f]{6}$/],
  ])("is %s", (_, given, domain, name) => {
    const { serviceName } = settings({ SERVICE_NAME: given, SERVICE_DOMAIN: domain });
    expect(serviceName).toMatch(typeof name === "string" ? new RegExp(`^${name}$`) : name);
    expect(serviceName).toMatch(/^[^:\s]{5,15}$/);
  });

  it("differs for domains that begin alike", () => {
    const [one, other] = ["a", "b"].map(
      (end) => settings({ SERVICE_DOMAIN: `post.example-${end}.test` }).serviceName,
    );
    expect(one).not.toBe(other);
  });

  it.each(["acme", "a".repeat(16), "ac:me", "ac me", "acm\u00e9s", "acme\r\nX"])(
    "is refused if it is %j",
    (name) => {
      expect(() => settings({ SERVICE_NAME: name })).toThrow(
        "setting SERVICE_NAME must be 5 to 15",
      );
    },
  );
});

describe("POSTMASTER_ADDRESS", () => {
  it("is a mail address, or none", () => {
    const address = "Me+mail@home.example";
    expect(settings({ POSTMASTER_ADDRESS: address }).postmasterAddress).toBe(address);
    for (const none of [undefined, ""])
      expect(settings({ POSTMASTER_ADDRESS: none }).postmasterAddress).toBeNull();
  });

  it.each([
    ..."me|me@|@home.example|a b@home.example|me@home.example, you@home.example".split("|"),
    "me@home.example\r\nX: y",
  ])("refuses %j", (address) => {
    expect(() => settings({ POSTMASTER_ADDRESS: address })).toThrow("POSTMASTER_ADDRESS");
  });

  it.each(["postmaster@SERVICE", "x@feedback.SERVICE", "postmaster@bounces.shop.example"])(
    "can't be at one of the service's own hosts: %s",
    (address) => {
      const own = address.replace("SERVICE", (bindings.SERVICE_DOMAIN ?? "").toUpperCase());
      expect(() => settings({ POSTMASTER_ADDRESS: own })).toThrow("POSTMASTER_ADDRESS");
    },
  );
});

describe("the relay", () => {
  it.each([
    ["465", true],
    ["587", false],
    ["2525", false],
  ])("on port %s: TLS from the first byte is %s", (port, implicitTls) => {
    const relay = { host: "smtp.relay.example", port: Number(port), implicitTls };
    const login = { username: "postern", password: "secret" };
    expect(settings({ ...RELAY, SMTP_RELAY_PORT: port }).relay).toEqual({ ...relay, ...login });
  });
});

describe("local secrets", () => {
  const LOCAL = {
    ADMIN_TOKEN: "local-only-0123456789abcdef01234567",
    GATEWAY_TOKEN: "local-only-0123456789abcdef01234567",
    SIGNING_KEY: "local-only-0123456789abcdef0123456789abcdef",
    KEY_ENCRYPTION_KEY: "local/only/ICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    DNS_API_TOKEN: "local-only-0123456789abcdef01234567",
  };

  it("are accepted by a service below .test", () => {
    const { serviceDomain, adminToken } = settings(LOCAL);
    expect([serviceDomain, adminToken]).toEqual(["postern.test", LOCAL.ADMIN_TOKEN]);
    const deeper = settings({ ...LOCAL, SERVICE_DOMAIN: "Mail.Somewhere.TEST" });
    expect(deeper.keyEncryptionKey).toHaveLength(32);
    expect([isLocal({ ...bindings, ...LOCAL }), isLocal(bindings)]).toEqual([true, false]);
  });

  const outside = "mail.example.com postern.example test .test postern.test.example";
  const domains = [...outside.split(" "), "postern.test.", "postern-test", ""];
  it.each(
    Object.entries(LOCAL).flatMap(([name, value]) =>
      domains.map((domain) => [name, domain, value] as const),
    ),
  )("as %s stop a service at %j with an error that hides the value", (name, domain, value) => {
    const env = { ...bindings, [name]: value, SERVICE_DOMAIN: domain };
    expect(() => settingsOf(env)).toThrow(
      `setting ${name} is a local secret; a SERVICE_DOMAIN outside .test needs a secret of its own`,
    );
    expect(() => settingsOf(env)).not.toThrow(value);
    expect(isLocal(env)).toBe(false);
  });

  it("are recognised by their prefix; other secrets are accepted at any domain", () => {
    for (const start of ["local", "only-local-", "a-local-only-", "Local-only-"]) {
      const value = `${start}0123456789abcdef0123456789abcdef`;
      const given = { ADMIN_TOKEN: value, SERVICE_DOMAIN: "mail.example.com" };
      expect(settings(given).adminToken).toBe(value);
    }
  });
});

describe("ADMIN_TOKEN", () => {
  it("of fewer than 32 characters stops the worker with an error that names the setting, not the value", () => {
    const problem = /^setting ADMIN_TOKEN must have at least 32 characters$/;
    for (const length of [1, 31])
      expect(() => settings({ ADMIN_TOKEN: "x".repeat(length) })).toThrow(problem);
  });

  it("may have 32 characters, or be missing", () => {
    expect(settings({ ADMIN_TOKEN: "x".repeat(32) }).adminToken).toBe("x".repeat(32));
    const none = ["", undefined].map((token) => settings({ ADMIN_TOKEN: token }).adminToken);
    expect(none).toEqual([null, null]);
  });
});

describe("a divisor of waits", () => {
  it.each([
    ["RETRY_SPEEDUP", "0.5", "setting RETRY_SPEEDUP must be a number of at least 1"],
    ["RETRY_SPEEDUP", "fast", "setting RETRY_SPEEDUP must be a number of at least 1"],
    ["LEASE_SPEEDUP", "0", "setting LEASE_SPEEDUP must be a number from 1 to 12"],
    ["LEASE_SPEEDUP", "12.5", "setting LEASE_SPEEDUP must be a number from 1 to 12"],
    ["LEASE_SPEEDUP", "slow", "setting LEASE_SPEEDUP must be a number from 1 to 12"],
  ])("%s of %s stops the worker with an error that names the range", (name, value, error) => {
    expect(() => settings({ [name]: value })).toThrow(error);
  });

  it("is 1 if it is not set, and RETRY_SPEEDUP changes no lease", () => {
    expect(settings({})).toMatchObject({ retrySpeedup: 1, leaseSpeedup: 1 });
    expect(settings({ RETRY_SPEEDUP: "600" })).toMatchObject({ leaseSpeedup: 1 });
    expect(settings({ LEASE_SPEEDUP: "12" })).toMatchObject({ retrySpeedup: 1, leaseSpeedup: 12 });
  });
});

describe("a setting", () => {
  it.each([
    ["ACCESS_LOG", "yes", "must be true or false"],
    ["WEBHOOK_ALLOW_PRIVATE", "1", "must be true or false"],
    ["WEBHOOK_ALLOW_PRIVATE", "TRUE", "must be true or false"],
    ["LOG_LEVEL", "loud", "must be one of info, warning, error, none"],
    ["METRICS_FLUSH_SECONDS", "21", "must be a number from 0 to 20"],
    ["DNS_API_URL", "api.example", "must be an http or https URL"],
    ["KEY_ENCRYPTION_KEY", "c2hvcnQ=", "must be 32 bytes in base64"],
    ["SIGNING_KEY", "short", "must have at least 32 characters"],
  ])("%s of %s stops the worker with an error that names the valid values", (name, value, must) => {
    expect(() => settings({ [name]: value })).toThrow(`setting ${name} ${must}`);
  });

  it("that is empty has its default", () => {
    const empty = { HEADER_PREFIX: "", LEASE_SPEEDUP: "", ACCESS_LOG: "", LOG_LEVEL: "" };
    expect(settings(empty)).toMatchObject({ headerPrefix: "Service", leaseSpeedup: 1 });
  });

  it("that is misspelt is named beside the nearest setting, while an operator's own variable is not", () => {
    const logged = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    settings({ HEADER_PREFX: "Acme", MY_OWN_COUNTRY: "ch" });
    const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown);
    const about = { event: "setting_unknown", setting: "HEADER_PREFX", nearest: "HEADER_PREFIX" };
    expect(lines).toEqual([expect.objectContaining(about)]);
    expect(() => settings({ SIGNING_KEY: undefined, SIGNING_KEYS: "x" })).toThrow(
      "setting SIGNING_KEY is missing; SIGNING_KEYS is set, which may be a misspelling",
    );
  });
});
