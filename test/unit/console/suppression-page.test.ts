// Reads the place of the suppressions' page, counts a file's rows, and says how far an import is.
import { expect, it } from "vitest";
import { countDataRows } from "../../../console/src/pages/suppressions/csv-rows.ts";
import { progressWords } from "../../../console/src/pages/suppressions/import-words.ts";
import { canBeNamed, liftWords } from "../../../console/src/pages/message/suppression-words.ts";
import {
  suppressionQuery,
  suppressionsSearch,
  textOfFragment,
} from "../../../console/src/pages/suppressions/suppressions-search.ts";
import { formatBytes } from "../../../console/src/parts/byte-figures.ts";

it("keeps known filters in the address, and nothing that is typed into the search", () => {
  expect(
    suppressionsSearch({ reason: "complaint", origin: "auto", topic: "news", open: "sup_1" }),
  ).toEqual({ reason: "complaint", origin: "auto", topic: "news", open: "sup_1" });
  expect(
    suppressionsSearch({ reason: "x", origin: 1, topic: "", email_contains: "jo@example.com" }),
  ).toEqual({});
});

it("asks the API for the filters, and for what is typed", () => {
  expect(suppressionQuery({ topic: "*" }, "jo@")).toEqual({ email_contains: "jo@", topic: "*" });
  expect(suppressionQuery({}, "")).toEqual({});
});

it("reads a fragment, also one that is not encoded", () => {
  expect(textOfFragment(encodeURIComponent("jo+a@example.com"))).toBe("jo+a@example.com");
  expect(textOfFragment("100%")).toBe("100%");
});

it.each([
  ["", 0],
  ["jo@example.com", 1],
  ["email,topic\r\njo@example.com,news\r\nada@example.com,*\r\n", 2],
  ["\uFEFFtopic, Email \nnews,jo@example.com\n\n  \n", 1],
  ['"email","note"\njo@example.com,"two\nlines"\nada@example.com,"a ""quote"""\n', 2],
  ["jo@example.com\nada@example.com", 2],
])("counts the rows of %j", (text, rows) => {
  expect(countDataRows(text)).toBe(rows);
});

const COUNTS = { status: "running", total: 1_000, imported: 990, skipped: 8, failed: 2 } as const;

it("says how far an import is, its speed and what is left", () => {
  const words = progressWords(COUNTS, { rows: 5_000, at: 0, total: 0 }, 2_000);
  expect(words).toBe(
    "1,000 of 5,000 rows read: 990 suppressed, 8 were already, 2 wrong · 500 a second · about 8.0 s left",
  );
});

it("says less where it knows less", () => {
  expect(progressWords(COUNTS, { rows: null, at: 0, total: 500 }, 1_000)).toBe(
    "1,000 rows read: 990 suppressed, 8 were already, 2 wrong · 500 a second",
  );
  expect(progressWords(COUNTS, null, 0)).not.toContain("second");
});

it("says how an import ended", () => {
  expect(progressWords({ ...COUNTS, status: "done" }, null, 0)).toMatch(/^All 1,000 rows are read/);
  expect(progressWords({ ...COUNTS, status: "failed" }, null, 0)).toContain(
    "Import the file again",
  );
});

it("says what lifting does, and names no topic that a path loses", () => {
  const suppression = { email: "jo@example.com", topic: "*" };
  expect(liftWords(suppression).done).toBe("jo@example.com is no longer suppressed.");
  expect(liftWords({ ...suppression, topic: "news" }).failed).toBe(
    "jo@example.com for news is still suppressed.",
  );
  expect([canBeNamed("*"), canBeNamed("a.b"), canBeNamed("."), canBeNamed("..")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_234, "1.2 kB"],
  [3_200_000, "3.2 MB"],
  [64_000_000_000, "64 GB"],
])("writes %i bytes as %s", (bytes, words) => {
  expect(formatBytes(bytes, "en")).toBe(words);
});
