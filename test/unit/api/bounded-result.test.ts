// Tests which part of an API answer an MCP tool shows by default (docs/mcp.md §What a tool
// answers).
import { describe, expect, it } from "vitest";
import { boundResult } from "../../../src/api/mcp/bounded-result.ts";

describe("an answer of a tool", () => {
  it("that is short is shown as it is", () => {
    const answer = { data: [{ html: "<p>", counts: { sent: 0, opened: 1 } }, null, 1], next: null };
    expect(boundResult(answer)).toEqual({ value: answer, warnings: [] });
  });

  it("has its texts shortened, in lists to fewer characters, and says where and by how much", () => {
    const answer = {
      html: "x".repeat(4_001),
      data: [{ html: "y".repeat(501) }],
      text: "z".repeat(4_000),
    };
    const { value, warnings } = boundResult(answer);
    expect(value).toEqual({
      html: "x".repeat(4_000),
      data: [{ html: "y".repeat(500) }],
      text: answer.text,
    });
    expect(warnings).toEqual([
      "html: the first 4000 of 4001 characters are shown.",
      "data.0.html: the first 500 of 501 characters are shown.",
    ]);
  });

  it("has no half character where a text is cut", () => {
    const { value } = boundResult([`${"x".repeat(499)}😀`]);
    expect((value as string[])[0]?.isWellFormed()).toBe(true);
  });

  it("has at most 500 entries, nested entries included", () => {
    const row = { recipients: Array.from({ length: 9 }, () => "a") };
    const { value, warnings } = boundResult({ data: Array.from({ length: 100 }, () => row) });
    expect((value as { data: unknown[] }).data).toHaveLength(50);
    expect(warnings).toEqual(["data: the first 50 of 100 entries are shown."]);
  });

  it("leaves out rows with only zero counts, and says how many", () => {
    const [empty, full] = [{ counts: { sent: 0, opened: 0 } }, { counts: { sent: 1, opened: 0 } }];
    expect(boundResult({ data: [empty, full, empty], total: empty })).toEqual({
      value: { data: [full], total: empty },
      warnings: ["data: 2 entries with no events are left out."],
    });
  });
});
