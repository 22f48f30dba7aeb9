// Complaints field by field (RFC 5965): which kinds count, whose they are, and what of them is
// told.
import { describe, expect, it } from "vitest";
import { fixture, outcomeOf } from "./reading.ts";

const minimal = fixture("arf-minimal");
const withFields = (...fields: string[]) =>
  minimal.replace(
    "Version: 1\r\n",
    `Version: 1\r\n${fields.map((field) => `${field}\r\n`).join("")}`,
  );
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
    "%j is nothing",
    (type) => {
      expect(ofType(type)).toBe("nothing");
    },
  );
});

describe("the recipient of a complaint", () => {
  it.each([
    "<ann@example.com>",
    "rfc822; ann@example.com",
    "<8f14e45fceea167a@example.com>",
    "<redacted@elsewhere.example.net>",
    "<ann@redacted.invalid>",
    "xxxxx",
    "",
  ])("may be %j: the address, or somebody whose name was taken out", (value) => {
    expect(outcomeOf(withFields(`Original-Rcpt-To: ${value}`))).toMatch(/^complaint/);
  });

  it("is not somebody else, whom a forwarding hop mailed", () => {
    expect(outcomeOf(withFields("Original-Rcpt-To: <bob@elsewhere.example.net>"))).toBe("nothing");
    expect(
      outcomeOf(
        withFields(
          "Original-Rcpt-To: <bob@elsewhere.example.net>",
          "Original-Rcpt-To: <ann@example.com>",
        ),
      ),
    ).toMatch(/^complaint/);
  });
});

describe("what is told of a complaint", () => {
  it("is the generator as it calls itself, on one line and not for ever", () => {
    expect(outcomeOf(minimal.replace("SomeGenerator/1.0", "A\r\n\tB/1"))).toContain('"A B/1"');
    expect(outcomeOf(minimal.replace("SomeGenerator/1.0", ""))).toContain(" null ");
    expect(outcomeOf(minimal.replace("SomeGenerator/1.0", "x".repeat(5_000)))).toContain(
      `"${"x".repeat(256)}"`,
    );
  });

  it.each([
    ["2026-06-04T15:40:36.000Z", "Thu, 4 Jun 2026 17:40:36 +0200"],
    ["2026-06-04T17:40:36.000Z", "4 Jun 2026 17:40:36 GMT (UTC)"],
    ["-", "yesterday"],
    ["-", "Thu, 4 Jun 102026 17:40:36 +0000"],
  ])("is when it was reported: %s of %j", (expected, date) => {
    expect(outcomeOf(minimal.replace(/^Date: .*$/m, `Date: ${date}`))).toMatch(
      new RegExp(` ${expected}$`),
    );
  });

  it("is when the message had arrived, where the report has no date", () => {
    const undated = withFields("Arrival-Date: Thu, 4 Jun 2026 10:00:01 +0000").replace(
      /^Date: .*\r\n/m,
      "",
    );
    expect(outcomeOf(undated)).toMatch(/ 2026-06-04T10:00:01\.000Z$/);
  });
});

it("reads a feedback report wherever a multipart holds it", () => {
  expect(
    outcomeOf(minimal.replace("multipart/report; report-type=feedback-report", "multipart/mixed")),
  ).toMatch(/^complaint abuse/);
});

it("is nothing without a feedback report, whatever its words say", () => {
  expect(outcomeOf(minimal.replace("message/feedback-report", "text/plain"))).toBe("nothing");
});
