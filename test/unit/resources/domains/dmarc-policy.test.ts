// The DMARC policy of a domain, judged (src/resources/domains/policies/dmarc-policy.ts).
import { describe, expect, it } from "vitest";
import { judgeDmarc } from "../../../../src/resources/domains/policies/dmarc-policy.ts";
import type { DnsLookup } from "../../../../src/resources/domains/resolver.ts";

const NONE: DnsLookup = { kind: "nxdomain" };
const FAILED: DnsLookup = { kind: "failed", reason: "SERVFAIL" };
const RUA = "rua=mailto:dmarc@example.com";

const texts = (...values: string[]): DnsLookup =>
  values.length === 0 ? NONE : { kind: "answer", values };

/** Judges news.example.com, whose organizational domain is example.com. */
const below = (own: DnsLookup, organizational: DnsLookup) =>
  judgeDmarc({
    domain: "news.example.com",
    organization: "example.com",
    returnPath: "bounces.news.example.com",
    own,
    organizational,
  });

/** Judges example.com itself. */
const at = (...values: string[]) =>
  judgeDmarc({
    domain: "example.com",
    organization: "example.com",
    returnPath: "bounces.example.com",
    own: texts(...values),
    organizational: texts(...values),
  });

describe("a DMARC policy", () => {
  it.each([
    ["quarantine", "to quarantine mail that fails DMARC (p=quarantine)."],
    ["reject", "to refuse mail that fails DMARC (p=reject)."],
  ])("of p=%s with reports is ok and enforced", (policy, asks) => {
    expect(at(`v=DMARC1; p=${policy}; ${RUA}`)).toEqual({
      isEnforced: true,
      judgement: {
        status: "ok",
        host: "_dmarc.example.com",
        found: [`v=DMARC1; p=${policy}; ${RUA}`],
        message: `The DMARC record at _dmarc.example.com asks receivers ${asks}`,
      },
    });
  });

  it("of p=none is a warning, and not enforced", () => {
    const { judgement, isEnforced } = at(`v=DMARC1; p=none; ${RUA}`);
    expect([judgement.status, isEnforced]).toEqual(["warn", false]);
    expect(judgement.message).toContain("Go on to quarantine when the reports are clean.");
  });

  it.each([
    ["v=DMARC1;p=Reject;RUA=mailto:a@example.com!10m", "ok"],
    ["v = DMARC1 ; P = reject ; rua = https://x.example, mailto:a@example.com", "ok"],
    [`v=DMARC1; p=reject; pct=100; sp=quarantine; adkim=s; ${RUA}`, "ok"],
    [`v=DMARC1; p=reject; pct=many; ${RUA}`, "ok"],
  ])("written as %s is %s", (record, status) => {
    expect(at(record).judgement.status).toBe(status);
  });

  it.each([
    ["covers a part of the mail", `p=quarantine; pct=20; ${RUA}`, "covers only 20 % of", false],
    ["covers a part with p=reject", `p=reject; pct=0; ${RUA}`, "covers only 0 % of", true],
    ["names no address for reports", "p=reject", "Add rua=mailto:postmaster@example.com", true],
    ["has an empty rua", "p=reject; rua=", "names no address for reports", true],
    ["has a rua without mailto", "p=reject; rua=a@example.com", "names no address", true],
    ["leaves out names below", `p=reject; sp=none; ${RUA}`, "left out by sp=none", false],
    ["needs strict SPF", `p=reject; aspf=s; ${RUA}`, "returns to bounces.example.com", true],
  ])("that %s is a warning", (_what, tags, words, isEnforced) => {
    const judged = at(`v=DMARC1; ${tags}`);
    expect(judged.judgement.status).toBe("warn");
    expect(judged.judgement.message).toContain(words);
    expect(judged.isEnforced).toBe(isEnforced);
  });

  it("warns of everything at once", () => {
    const { message } = at("v=DMARC1; p=quarantine; pct=5; sp=none; aspf=S").judgement;
    for (const words of ["5 %", "sp=none", "rua=", "aspf=s"]) expect(message).toContain(words);
  });

  it.each([
    ["no p=", `v=DMARC1; ${RUA}`, "no valid p="],
    ["an unknown p=", "v=DMARC1; p=block", "no valid p="],
    ["an unknown sp=", "v=DMARC1; p=reject; sp=block", "no valid sp="],
  ])("with %s is wrong", (_what, record, words) => {
    const { judgement, isEnforced } = at(record);
    expect([judgement.status, isEnforced]).toEqual(["wrong", false]);
    expect(judgement.message).toContain(words);
  });

  it("that stands twice is wrong", () => {
    const { judgement, isEnforced } = at("v=DMARC1; p=reject", "v=DMARC1; p=none", "hello");
    expect([judgement.status, isEnforced]).toEqual(["wrong", false]);
    expect(judgement.message).toContain("has 2 DMARC records where one is allowed");
    expect(judgement.found).toHaveLength(3);
  });

  it.each(["v=dmarc1; p=reject", "V=DMARC; p=none", " v=DMARC1; p=reject", "v=DMARC1 p=none"])(
    "written as %j is wrong, since receivers ignore it",
    (record) => {
      const { status, message } = at(record).judgement;
      expect(status).toBe("wrong");
      expect(message).toContain(`The record "${record}" at _dmarc.example.com does not begin`);
    },
  );

  it("that does not exist is missing, with the record to publish for all names", () => {
    expect(below(NONE, texts("hello"))).toEqual({
      isEnforced: false,
      judgement: {
        status: "missing",
        host: "_dmarc.example.com",
        found: ["hello"],
        message:
          "news.example.com has no DMARC record, which Gmail and Yahoo require of bulk senders. " +
          'Publish the TXT record "v=DMARC1; p=none; rua=mailto:postmaster@example.com" at ' +
          "_dmarc.example.com, and go on to p=quarantine when the reports are clean.",
      },
    });
  });
});

describe("the policy of a name below the organizational domain", () => {
  it("is its own when it has one", () => {
    const { judgement } = below(
      texts(`v=DMARC1; p=reject; ${RUA}`),
      texts("v=DMARC1; p=none", "v=DMARC1; p=none"),
    );
    expect([judgement.status, judgement.host]).toEqual(["ok", "_dmarc.news.example.com"]);
  });

  it.each([
    [`p=reject; ${RUA}`, "ok", "(p=reject)", true],
    [`p=none; sp=reject; ${RUA}`, "ok", "(sp=reject)", false],
    [`p=reject; sp=none; ${RUA}`, "warn", "(sp=none)", false],
  ])("is the organizational domain's %s otherwise", (tags, status, words, isEnforced) => {
    const judged = below(texts("not DMARC"), texts(`v=DMARC1; ${tags}`));
    expect(judged.judgement).toMatchObject({ status, host: "_dmarc.example.com" });
    expect(judged.judgement.message).toContain(words);
    expect(judged.isEnforced).toBe(isEnforced);
  });

  it("is enforced only with the organizational domain's", () => {
    const own = texts(`v=DMARC1; p=reject; ${RUA}`);
    expect(below(own, texts("v=DMARC1; p=none")).isEnforced).toBe(false);
    expect(below(own, texts("v=DMARC1; p=reject")).isEnforced).toBe(true);
    expect(below(own, NONE).isEnforced).toBe(true);
    expect(below(own, FAILED)).toMatchObject({ isEnforced: null, judgement: { status: "ok" } });
  });

  it.each([
    [FAILED, texts("v=DMARC1; p=reject"), "_dmarc.news.example.com"],
    [NONE, FAILED, "_dmarc.example.com"],
  ])("is unknown while DNS fails where it would stand", (own, organizational, host) => {
    const { judgement, isEnforced } = below(own, organizational);
    expect(isEnforced).toBeNull();
    expect(judgement).toMatchObject({ status: "unknown", host, found: [] });
    expect(judgement.message).toContain(`DNS could not be queried for ${host}: SERVFAIL.`);
  });
});
