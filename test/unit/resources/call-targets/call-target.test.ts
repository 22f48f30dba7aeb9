// Tests which URLs a webhook may call (src/resources/call-targets/call-target.ts, contract.md
// §Webhook targets).
import { describe, expect, it } from "vitest";
import { targetProblem } from "../../../../src/resources/call-targets/call-target.ts";
import { HOSTILE_URLS, LOOPBACK_URLS, PUBLIC_URLS } from "../webhooks/urls.ts";

const STRICT = { allowPrivate: false, ownHosts: ["postern.test"] };
const LOCAL = { allowPrivate: true, ownHosts: ["postern.test"] };

/** Returns `no URL`, a problem, or undefined if the URL may be called. */
function verdict(text: string, options = STRICT): string | undefined {
  return URL.canParse(text) ? targetProblem(new URL(text), options) : "no URL";
}

it("the table of hostile URLs has at least 120, none of them twice", () => {
  expect(new Set([...HOSTILE_URLS, ...LOOPBACK_URLS]).size).toBe(
    HOSTILE_URLS.length + LOOPBACK_URLS.length,
  );
  expect(HOSTILE_URLS.length).toBeGreaterThanOrEqual(120);
});

it.each(HOSTILE_URLS)("the rule refuses %s, whatever the operator allows", (text) => {
  expect(verdict(text)).toBeDefined();
  expect(verdict(text, LOCAL)).toBeDefined();
});

describe("the rule for loopback URLs", () => {
  it.each(LOOPBACK_URLS)("refuses %s, unless the operator allows it", (text) => {
    expect(verdict(text)).toBe("must be a public host");
    expect(verdict(text, LOCAL)).toBeUndefined();
  });

  it.each(LOOPBACK_URLS)("allows %s over http only if the operator allows it", (text) => {
    const plain = text.replace("https:", "http:");
    expect(verdict(plain)).toBe("must use https");
    expect(verdict(plain, LOCAL)).toBeUndefined();
    expect(verdict(text.replace("https:", "ftp:"), LOCAL)).toBeDefined();
  });

  it("refuses a URL with a user name and a password", () => {
    expect(verdict("http://user:secret@localhost/", LOCAL)).toBe(
      "must not hold a user name or password",
    );
  });
});

it.each(PUBLIC_URLS)("the rule allows %s", (text) => {
  expect(verdict(text)).toBeUndefined();
  expect(verdict(text, LOCAL)).toBeUndefined();
});

it.each([
  ..."https://postern.test/ https://POSTERN.test./ https://api.postern.test/v1/webhooks".split(" "),
  ..."https://a.b.postern.test:8443/ https://ｐostern.test/".split(" "),
])("the rule refuses the service's own host %s", (text) => {
  expect(verdict(text)).toBe("must not be the service's own host");
  expect(verdict(text, LOCAL)).toBe("must not be the service's own host");
  expect(verdict(text, { allowPrivate: false, ownHosts: [] })).toBeUndefined();
});

it("the rule refuses the service's own host on loopback too", () => {
  const options = { allowPrivate: true, ownHosts: ["service.localhost"] };
  expect(verdict("http://api.service.localhost/", options)).toBe(
    "must not be the service's own host",
  );
  expect(verdict("http://other.localhost/", options)).toBeUndefined();
});
