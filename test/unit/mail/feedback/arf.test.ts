// Tests how the fields of a complaint are read (RFC 5965): which feedback types count, whose
// complaint it is, and which details are kept.
import { describe, expect, it } from "vitest";
import { fixture, outcomeOf } from "./reading.ts";

const minimal = fixture("arf-minimal");
const withFields = (...fields: string[]) =>
  minimal.replace("Version: 1\r\n", ["Version: 1", ...fields, ""].join("\r\n"));
const ofType = (type: string) =>
  outcomeOf(minimal.replace("Feedback-Type: abuse", `Feedback-Type: ${type}`));

describe("the feedback type", () => {
  it.each(["abuse", "fraud", "virus", "opt-out", "ABUSE", " abuse "])(
    "%j is a complaint",
    (type) => {
      expect(ofType(type)).toMatch(new RegExp(`^complaint ${type.trim().toLowerCase()} `));
    },
  );

  it.each(["not-spam", "auth-failure", "other", "dmarc", "miscategorized", "", "abuse2"])(
    "%j is ignored",
    (type) => {
      expect(ofType(type)).toBe("nothing");
    },
  );
});

describe("the recipient of a complaint", () => {
  it.each(
    (
      "<ann@example.com>|rfc822; ann@example.com|<8f14e45fceea167a@example.com>|" +
      "<redacted@elsewhere.example.net>|<ann@redacted.invalid>|xxxxx|"
    ).split("|"),
  )("may be %j: the address itself or a redacted one", (value) => {
    expect(outcomeOf(withFields(`Original-Rcpt-To: ${value}`))).toMatch(/^complaint/);
  });

  it("is not another address that a forwarding hop mailed", () => {
    expect(outcomeOf(withFields("Original-Rcpt-To: <bob@elsewhere.example.net>"))).toBe("nothing");
    const both = ["bob@elsewhere.example.net", "ann@example.com"].map(
      (one) => `Original-Rcpt-To: <${one}>`,
    );
    expect(outcomeOf(withFields(...both))).toMatch(/^complaint/);
  });
});

describe("the details of a complaint", () => {
  it("include the generator's name, on one line of limited length", () => {
    expect(outcomeOf(minimal.replace("SomeGenerator/1.0", "A\r\n\tB/1"))).toContain('"A B/1"');
    expect(outcomeOf(minimal.replace("SomeGenerator/1.0", ""))).toContain(" null ");
    const long = minimal.replace("SomeGenerator/1.0", "x".repeat(5_000));
    expect(outcomeOf(long)).toContain(`"${"x".repeat(256)}"`);
  });

  it.each([
    ["2026-06-04T15:40:36.000Z", "Thu, 4 Jun 2026 17:40:36 +0200"],
    ["2026-06-04T17:40:36.000Z", "4 Jun 2026 17:40:36 GMT (UTC)"],
    ["-", "yesterday"],
    ["-", "Thu, 4 Jun 102026 17:40:36 +0000"],
  ])("include the time of the report: %s of %j", (expected, date) => {
    expect(outcomeOf(minimal.replace(/^Date: .*$/m, `Date: ${date}`))).toMatch(
      new RegExp(` ${expected}$`),
    );
  });

  it("include the message's arrival time when the report has no date", () => {
    const arrived = withFields("Arrival-Date: Thu, 4 Jun 2026 10:00:01 +0000");
    const undated = arrived.replace(/^Date: .*\r\n/m, "");
    expect(outcomeOf(undated)).toMatch(/ 2026-06-04T10:00:01\.000Z$/);
  });
});

it("a feedback report is found anywhere in a multipart", () => {
  const mixed = minimal.replace("multipart/report; report-type=feedback-report", "multipart/mixed");
  expect(outcomeOf(mixed)).toMatch(/^complaint abuse/);
});

it("a message without a feedback report is not a complaint, whatever its text", () => {
  expect(outcomeOf(minimal.replace("message/feedback-report", "text/plain"))).toBe("nothing");
});
