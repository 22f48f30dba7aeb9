// Tests how a domain's BIMI record is judged (src/resources/domains/policies/bimi-policy.ts).
import { describe, expect, it } from "vitest";
import { judgeBimi } from "../../../../src/resources/domains/policies/bimi-policy.ts";
import type { DnsLookup } from "../../../../src/resources/domains/resolver.ts";

const DOMAIN = { domain: "news.example.com", organization: "example.com" };
const HOST = "default._bimi.news.example.com";
const NONE: DnsLookup = { kind: "nxdomain" };
const FAILED: DnsLookup = { kind: "failed", reason: "SERVFAIL" };
const LOGO = "l=https://example.com/logo.svg";
const WHOLE = `v=BIMI1; ${LOGO}; a=https://example.com/logo.pem`;

const texts = (...values: string[]): DnsLookup => ({ kind: "answer", values });
const judge = (
  own: DnsLookup,
  isEnforced: boolean | null = true,
  organizational: DnsLookup = NONE,
) => judgeBimi(DOMAIN, own, organizational, isEnforced);

describe("a BIMI record", () => {
  it("with a logo and a certificate is ok while DMARC is enforced", () => {
    expect(judge(texts(WHOLE))).toEqual({
      status: "ok",
      host: HOST,
      found: [WHOLE],
      message: `${HOST} names a logo and its certificate, and DMARC is enforced.`,
    });
  });

  it.each([`v=BIMI1; ${LOGO}`, `v=BIMI1;${LOGO};a=;`])(
    "without a certificate is ok, and the message mentions this: %s",
    (record) => {
      const { status, message } = judge(texts(record));
      expect(status).toBe("ok");
      expect(message).toContain("Gmail and Apple Mail show it only with a certificate");
    },
  );

  it("is a warning while DMARC is not enforced", () => {
    const { status, message } = judge(texts(WHOLE), false);
    expect(status).toBe("warn");
    expect(message).toContain("mailboxes ignore it until DMARC is enforced");
  });

  it("is unknown while the DMARC policy is unknown", () => {
    expect(judge(texts(WHOLE), null).status).toBe("unknown");
  });

  it("of the organizational domain counts for names below it", () => {
    expect(judge(NONE, true, texts(WHOLE))).toMatchObject({
      status: "ok",
      host: "default._bimi.example.com",
      found: [WHOLE],
    });
    expect(judge(texts(WHOLE), true, texts("v=BIMI1; l=x")).status).toBe("ok");
  });

  it("that does not exist is missing, and the message says that it is optional", () => {
    expect(judge(texts("hello"), false)).toEqual({
      status: "missing",
      host: HOST,
      found: ["hello"],
      message:
        "news.example.com has no BIMI record. It is optional: with one, some mailboxes show the " +
        "domain's logo beside its mail.",
    });
  });

  it("with an empty logo is ok, because the domain declines to show one", () => {
    const { status, message } = judge(texts("v=BIMI1; l=; a=;"), false);
    expect([status, message]).toEqual([
      "ok",
      `The BIMI record at ${HOST} says that there is no logo to show.`,
    ]);
  });

  it.each([
    ["no l=", ["v=BIMI1; a=https://example.com/logo.pem"], "names no logo in l="],
    ["a logo over http", ["v=BIMI1; l=http://example.com/l.svg"], '"http://example.com/l.svg"'],
    ["a logo that is not an address", ["v=BIMI1; l=logo\u0007.svg"], '"logo?.svg"'],
    ["a certificate over http", [`v=BIMI1; ${LOGO}; a=http://x.example`], "in a=. Give a="],
    ["a second record beside it", [WHOLE, "v=BIMI1; l=;"], "2 BIMI records"],
  ])("with %s is wrong", (_what, records, words) => {
    const { status, message } = judge(texts(...records));
    expect(status).toBe("wrong");
    expect(message).toContain(words);
  });

  it.each([
    [FAILED, texts(WHOLE), HOST],
    [NONE, FAILED, "default._bimi.example.com"],
  ])("is unknown while DNS fails for a name that may have it", (own, organizational, host) => {
    const found = judge(own, true, organizational);
    expect(found).toMatchObject({ status: "unknown", host, found: [] });
    expect(found.message).toContain(`DNS could not be queried for ${host}: SERVFAIL.`);
  });
});
