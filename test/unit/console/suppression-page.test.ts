// Tests the console's page of suppressions: its URL, its list after a write, the rows of a file,
// and the text about an import.
import { describe, expect, it } from "vitest";
import type { Suppression } from "../../../packages/postern/src/generated/types.ts";
import { countDataRows, RowCounter } from "../../../console/src/pages/suppressions/csv-rows.ts";
import { progressText } from "../../../console/src/pages/suppressions/import-texts.ts";
import { canBeNamed, liftText } from "../../../console/src/pages/message/suppression-texts.ts";
import { withoutRow } from "../../../console/src/pages/message/listed-suppressions.ts";
import { suppressionCountText } from "../../../console/src/pages/suppressions/suppression-facts.ts";
import { withRow } from "../../../console/src/pages/suppressions/suppression-pages.ts";
import {
  listQuery,
  readTexts,
  suppressionQuery,
  suppressionsSearch,
  writeTexts,
} from "../../../console/src/pages/suppressions/suppressions-search.ts";
import { formatBytes } from "../../../console/src/parts/byte-figures.ts";
import { suppressionWith } from "./suppression-answer.ts";

it("keeps known filters in the page's URL, but not the text of the search field", () => {
  const known = { reason: "complaint", origin: "auto", topic: "news", open: "sup_1" };
  expect(suppressionsSearch(known)).toEqual(known);
  const sorts = ["newest", "oldest", "email", "x"].map((sort) => suppressionsSearch({ sort }));
  expect(sorts).toEqual([{}, { sort: "oldest" }, { sort: "email" }, {}]);
  const unknown = { reason: "x", origin: 1, topic: "", email_contains: "jo@example.com" };
  expect(suppressionsSearch(unknown)).toEqual({});
});

it("asks the API for the filters and the typed text", () => {
  expect(suppressionQuery({ topic: "*" }, "jo@")).toEqual({ email_contains: "jo@", topic: "*" });
  expect(suppressionQuery({}, "")).toEqual({});
});

it("begins the list at an address only where it is sorted by address", () => {
  const texts = { contains: "", from: "jo@" };
  const byAddress = { sort: "email", topic: "*" } as const;
  expect(listQuery(byAddress, texts)).toEqual({ ...byAddress, email_from: "jo@" });
  expect(listQuery({ sort: "oldest" }, texts)).toEqual({ sort: "oldest" });
});

it.each([
  { contains: "jo+a@example.com", from: "" },
  { contains: "", from: "jo&from=@example.com" },
  { contains: "a=b&c", from: "d%" },
])("reads the fragment that it writes for %j", (texts) => {
  expect(readTexts(`#${writeTexts(texts)}`)).toEqual(texts);
});

it("reads a fragment that is not encoded", () => {
  expect(readTexts("100%")).toEqual({ contains: "100%", from: "" });
});

function rowOf(email: string, created: number): Suppression {
  const at = new Date(created).toISOString();
  return suppressionWith({ id: `sup_${created}`, email, created_at: at });
}

describe("a list that is loaded", () => {
  const [ann, bob, cleo] = [rowOf("ann@x", 3), rowOf("bob@x", 2), rowOf("cleo@x", 1)];
  const emailsOf = (pages: readonly { readonly data: readonly Suppression[] }[]) =>
    pages.map(({ data }) => data.map(({ email }) => email[0]).join(""));
  const newest = [
    { data: [ann], next_cursor: "next" },
    { data: [cleo], next_cursor: null },
  ];

  it("loses a lifted row, and gets an added one at its place in the order", () => {
    expect(emailsOf(withoutRow(newest, ann))).toEqual(["", "c"]);
    expect(emailsOf(withRow(newest, bob, {}))).toEqual(["a", "bc"]);
    expect(emailsOf(withRow(newest, rowOf("dan@x", 9), {}))).toEqual(["da", "c"]);
    expect(emailsOf(withRow(newest, rowOf("ann@x", 9), {}))).toEqual(["", "ac"]);
    const oldest = [{ data: [cleo, ann], next_cursor: null }];
    expect(emailsOf(withRow(oldest, bob, { sort: "oldest" }))).toEqual(["cba"]);
    expect(emailsOf(withRow(oldest, rowOf("dan@x", 9), { sort: "oldest" }))).toEqual(["cad"]);
  });

  it("gets no row that its filters exclude, or that comes after the loaded rows", () => {
    const byEmail = [{ data: [ann, bob], next_cursor: "next" }];
    expect(emailsOf(withRow(byEmail, cleo, { sort: "email" }))).toEqual(["ab"]);
    const others = [{ reason: "complaint" }, { topic: "news" }, { email_contains: "zz" }] as const;
    for (const query of others) expect(emailsOf(withRow(newest, bob, query))).toEqual(["a", "c"]);
    const fromAn = { sort: "email", email_from: "an" } as const;
    expect(emailsOf(withRow(byEmail, rowOf("aa@x", 5), fromAn))).toEqual(["ab"]);
  });
});

it("counts the rows of an export that arrives in parts", () => {
  const counter = new RowCounter();
  const parts = ['email,note\r\na@x,"two\r', '\nlines"\r\n', "b@x,\r\n"];
  expect(parts.map((part) => counter.add(new TextEncoder().encode(part)))).toEqual([0, 1, 2]);
});

it("says how many match", () => {
  const some = { total: 2, has_more: false };
  expect(suppressionCountText("2", some, false)).toBe("2 suppressions");
  expect(suppressionCountText("1", { ...some, total: 1 }, true)).toBe("1 suppression found");
  const among = "2 suppressions among the newest 200,000";
  expect(suppressionCountText("2", { ...some, has_more: true }, true)).toBe(among);
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
  const words = progressText(COUNTS, { rows: 5_000, at: 0, total: 0 }, 2_000);
  expect(words).toBe(
    "1,000 of 5,000 rows: 990 added, 8 already suppressed, 2 invalid · 500 rows/s · about 8.0 s left",
  );
});

it("says only the known figures of an import", () => {
  expect(progressText(COUNTS, { rows: null, at: 0, total: 500 }, 1_000)).toBe(
    "1,000 rows: 990 added, 8 already suppressed, 2 invalid · 500 rows/s",
  );
  expect(progressText(COUNTS, null, 0)).not.toContain("rows/s");
});

it("says how an import ended", () => {
  expect(progressText({ ...COUNTS, status: "done" }, null, 0)).toMatch(/^Done, 1,000 rows/);
  expect(progressText({ ...COUNTS, status: "failed" }, null, 0)).toContain("Import the file again");
});

it("says what lifting a suppression does, and names no topic that a path can't carry", () => {
  const suppression = { email: "jo@example.com", topic: "*" };
  expect(liftText(suppression).done).toBe("jo@example.com is no longer suppressed.");
  expect(liftText({ ...suppression, topic: "news" }).failed).toBe(
    "jo@example.com for topic news is still suppressed.",
  );
  expect(["*", "a.b", ".", ".."].map(canBeNamed)).toEqual([true, true, false, false]);
});

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_234, "1.2 kB"],
  [3_200_000, "3.2 MB"],
  [64_000_000_000, "64 GB"],
])("writes %i bytes as %s", (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});
