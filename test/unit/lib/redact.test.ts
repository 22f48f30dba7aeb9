// Tests redaction (src/lib/redact.ts, src/lib/log.ts): keys, secrets and quoted values that must
// stay out of the log do not reach it.
import { afterEach, describe, expect, it, vi } from "vitest";
import { configureLog, logError, logInfo, logWarning } from "../../../src/lib/log.ts";
import { messageOf, redact } from "../../../src/lib/redact.ts";

const KEY = "ps_4f9Kq2Zr8VtY1bNc6HsXe3WjLm7PdRgTu5Aa0Ii9O";

describe("redact", () => {
  it.each([
    ["to ada.lovelace+x@example.net: no", "to ***@example.net: no"],
    ["<ada@example.net>", "<***@example.net>"],
    ['"a b@c"@example.net', "***@example.net"],
    ["ada@example.net,bob@example.org", "***@example.net,***@example.org"],
    ["mailto:ada@example.net?x", "mailto:***@example.net?x"],
    ["b+aaaa=bbbb@bounces.example.net", "***@bounces.example.net"],
    ["ünïcode@example.net", "***@example.net"],
    ["/v1/suppressions/ada%40example.net", "***@example.net"],
    ["a@b@c", "***@***@c"],
    ["no address", "no address"],
    ["@example.net", "@example.net"],
    ["", ""],
  ])("masks addresses: turns %j into %j", (text, masked) => {
    expect(redact(text, [])).toBe(masked);
  });

  it("removes keys, webhook secrets, credentials and the given secrets", () => {
    const text =
      `${KEY} whsec_q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA= Bearer abc.def ` +
      `"Authorization: Basic c2VydmljZTp4" and hunter22`;
    expect(redact(text, ["hunter22"])).toBe(
      'ps_*** whsec_*** Bearer *** "Authorization: Basic ***" and ***',
    );
  });

  it("leaves out the values that an error quotes", () => {
    const parsing = (() => {
      try {
        return JSON.parse('{"subject": "Confidential" oops');
      } catch (error) {
        return error;
      }
    })();
    expect(messageOf(parsing)).not.toMatch(/onfidential|oops/);
    const query = "Failed query: insert into templates values (?)";
    expect(messageOf(new Error(`${query}\nparams: Confidential,<p>Dear`))).toBe(query);
    expect(messageOf("text")).toBe("text");
  });
});

describe("the log", () => {
  const lines: string[] = [];
  const kept = vi.fn((line: string) => void lines.push(line));

  afterEach(() => {
    lines.length = 0;
    configureLog("warning", []);
  });

  function watch(): void {
    for (const method of ["log", "warn", "error"] as const)
      vi.spyOn(console, method).mockImplementation(kept);
  }

  it("writes one JSON line per entry with its fields", () => {
    watch();
    configureLog("info", []);
    const fields = { outcomes: { "email_1/0/1": "delivered 250" }, ids: ["email_1"], none: null };
    logInfo("outcomes", fields);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toEqual({ level: "info", event: "outcomes", ...fields });
  });

  it("writes an error's message, causes and stack, all redacted", () => {
    watch();
    configureLog("info", ["a-secret-of-ours", "short", undefined]);
    const cause = new Error("D1_ERROR: a-secret-of-ours for ada@example.net");
    logError("fault", new Error(`no ${KEY}\n    for bob@example.net`, { cause }), {
      what: "to carol@example.net, short",
    });
    const entry = JSON.parse(lines[0] ?? "") as Record<string, string>;
    expect(entry).toMatchObject({
      level: "error",
      event: "fault",
      error: "no ps_***\n    for ***@example.net",
      cause: "D1_ERROR: *** for ***@example.net",
      what: "to ***@example.net, short",
    });
    expect(entry["stack"]).toMatch(/^\s+at /);
    expect(lines[0]).not.toMatch(/bob|ada|carol|4f9Kq2/);
  });

  it("writes nothing below its configured level", () => {
    watch();
    configureLog("error", []);
    logInfo("a");
    logWarning("b");
    logError("c", new Error("x"));
    expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(["c"]);
    configureLog("none", []);
    logError("d", "x");
    expect(lines).toHaveLength(1);
  });
});
