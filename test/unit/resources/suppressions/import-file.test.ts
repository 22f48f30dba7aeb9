// Tests how the file of a suppression import is read (src/resources/suppressions/import-file.ts):
// the slices together have the same rows as the whole file, wherever a window of bytes ends.
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { parseCsv } from "../../../../src/lib/csv.ts";
import type { ImportRowError } from "../../../../src/rpc/import-calls.ts";
import { readSlice, type Slice } from "../../../../src/resources/suppressions/import-file.ts";
import { openFile } from "../../../../src/resources/suppressions/import-layout.ts";

const WINDOW = 64 * 1024;
const encoder = new TextEncoder();

/** Makes a fake R2 bucket with one file. It records how many bytes each read returned. */
function bucketOf(bytes: Uint8Array): { bucket: R2Bucket; reads: number[] } {
  const reads: number[] = [];
  const get = async (_key: string, { range }: { range: { offset: number; length: number } }) => {
    const part = bytes.slice(range.offset, range.offset + range.length);
    reads.push(part.length);
    return { bytes: async () => part };
  };
  return { bucket: { get } as unknown as R2Bucket, reads };
}

async function readAll(bytes: Uint8Array): Promise<{
  slices: Slice[];
  rows: Slice["rows"][number][];
  errors: ImportRowError[];
  reads: number[];
}> {
  const { bucket, reads } = bucketOf(bytes);
  const { layout, place } = openFile(bytes);
  const slices: Slice[] = [];
  for (let at = place; at.byte < bytes.length;) {
    const slice = await readSlice(bucket, "file", bytes.length, layout, at);
    if (!slice) throw new Error("no file");
    expect(slice.next.byte).toBeGreaterThan(at.byte);
    slices.push(slice);
    at = slice.next;
  }
  return {
    slices,
    rows: slices.flatMap(({ rows }) => rows),
    errors: slices.flatMap(({ errors }) => errors),
    reads,
  };
}

/** Rows of a CSV file with all characters and sequences that the end of a window could split. */
const ROWS = [
  '"é@example.org","say ""hi"" 😀",news\r\n',
  "a@example.org,\ufeffnote,\r",
  '"b@example.org","two\r\nlines"\n',
  "\r\n",
  '"c@example.org" x,,\n',
  '"d@example.org","""",\r\n',
];

describe("a file in slices", () => {
  it.each(Array.from({ length: 130 }, (_, shift) => shift))(
    "has the same rows as the whole text, with the first window's end moved by %i bytes",
    async (shift) => {
      const start = "n".repeat(WINDOW - 1_000 + shift);
      const text = `email,note,topic\n${start}\n${ROWS.join("").repeat(12)}`;
      const { rows, errors, slices } = await readAll(encoder.encode(text));
      const whole = [...parseCsv(text)]
        .slice(1)
        .filter(
          ({ fields, problem }) => problem !== null || fields.some((field) => field.trim() !== ""),
        );
      const wrong = whole.filter(
        ({ row, problem }) => problem !== null || row === 2 || /[^\0-\x7f]/.test(problem ?? ""),
      );
      const bad = new Set(errors.map(({ row }) => row));
      expect(rows.map(({ row, note }) => [row, note])).toEqual(
        whole.filter(({ row }) => !bad.has(row)).map(({ row, fields }) => [row, fields[1] || null]),
      );
      expect(wrong.every(({ row }) => bad.has(row))).toBe(true);
      expect(slices.length).toBeGreaterThan(1);
    },
  );
});

describe("a record that is longer than a window", () => {
  const long = `"${"x".repeat(5 * WINDOW)}"`;

  it("is read completely, and later windows are small again", async () => {
    const file = encoder.encode(
      `email,other\na@example.org,${long}\n${"b@example.org,\n".repeat(6_000)}`,
    );
    const { rows, reads } = await readAll(file);
    expect(rows).toHaveLength(6_001);
    expect(reads.slice(0, 4)).toEqual([
      WINDOW,
      2 * WINDOW,
      4 * WINDOW,
      file.length - "email,other\n".length,
    ]);
    expect(Math.max(...reads.slice(4))).toBe(WINDOW);
  });

  it("ends the file with an error if its quote is never closed", async () => {
    const { rows, errors } = await readAll(
      encoder.encode(`email,other\na@example.org,\nb@example.org,${long.slice(0, -1)}`),
    );
    expect(rows).toHaveLength(1);
    expect(errors).toEqual([{ row: 3, field: "row", message: "has a quote that is never closed" }]);
  });
});

/** Formats a record as a spreadsheet with this separator would. */
function sheetRow(cells: readonly string[], separator: string, isQuoted: boolean): string {
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const needsQuotes = (cell: string) =>
    isQuoted || /["\r\n]/.test(cell) || cell.includes(separator);
  return cells.map((cell) => (needsQuotes(cell) ? quote(cell) : cell)).join(separator);
}

const note = fc
  .string({ unit: fc.constantFrom(..."ab ,;\t|\"'\u00e9".split("")) })
  .map((text) => `n${text}`);
const heading = fc.constantFrom(
  "email",
  "E-Mail",
  "Email Address",
  "Kontakt",
  "Adresse électronique",
);

it("a spreadsheet's file has the same addresses and notes, however it separates and quotes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(note, { minLength: 1, maxLength: 5 }),
      heading,
      fc.constantFrom(",", ";", "\t", "|"),
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.record({
        hasMark: fc.boolean(),
        hasSeparatorLine: fc.boolean(),
        isQuoted: fc.boolean(),
        isAddressLast: fc.boolean(),
        extra: fc.nat(2),
      }),
      async (notes, name, separator, end, { hasMark, hasSeparatorLine, isQuoted, ...more }) => {
        const records = [[name, "note"], ...notes.map((text, at) => [`a${at}@example.org`, text])];
        const rows = records
          .map((cells) => (more.isAddressLast ? cells.toReversed() : cells))
          .map((cells) => sheetRow(cells, separator, isQuoted) + separator.repeat(more.extra));
        const lines = [...(hasSeparatorLine ? [`sep=${separator}`] : []), ...rows];
        const file = encoder.encode((hasMark ? "\ufeff" : "") + lines.join(end) + end);
        const { rows: read, errors } = await readAll(file);
        expect(errors).toEqual([]);
        expect(read.map((row) => [row.email, row.note])).toEqual(
          notes.map((text, at) => [`a${at}@example.org`, text]),
        );
      },
    ),
  );
});

it.each([
  ["a list without a header", "a@example.org\nb@example.org"],
  ["a byte order mark before an address", "\ufeffa@example.org\nb@example.org\n"],
  ["blank lines", "\n\r\na@example.org\n  \n,,\nb@example.org\n\n"],
  ["rows that leave cells out", "email,topic,note\na@example.org\nb@example.org,*\n"],
  ["rows quoted as a whole", '"email,note"\r\n"a@example.org,""x"""\r\nb@example.org,y\r\n'],
  ["a heading in other words on a single column", "Empfänger\na@example.org\nb@example.org\n"],
  [
    "two columns of addresses",
    "Agent,e-mail address\nz@example.org,a@example.org\nz@example.org,b@example.org",
  ],
])("a file with %s has its addresses", async (_name, csv) => {
  const { rows, errors } = await readAll(encoder.encode(csv));
  expect([rows.map(({ email }) => email), errors]).toEqual([
    ["a@example.org", "b@example.org"],
    [],
  ]);
});

it("each wrong cell is reported by its row as a spreadsheet counts, and the rest is read", async () => {
  const csv = [
    "email,topic,note",
    "good@example.org,,",
    "not an address,,",
    "",
    `x@example.org,two words,${"n".repeat(1_001)}`,
    "a@example.org,,one,two",
    '"b@example.org"x,,',
    ",news,",
    '"multi\nline",é,\u0000',
    "Ann <ann@example.org>,,",
    "fine@example.org,news,ok",
    '"never closed@example.org,,',
  ].join("\n");
  const { rows, errors } = await readAll(encoder.encode(csv));
  expect(errors.map(({ row, field }) => `${row} ${field}`)).toEqual(
    "3 email,5 topic,5 note,6 row,7 row,8 email,9 email,9 topic,9 note,10 email,12 row".split(","),
  );
  expect(rows.map(({ email }) => email)).toEqual(["good@example.org", "fine@example.org"]);
});

it.each([
  ["note|Kontakt\ngone|a@example.org", 1, "|"],
  ["Kontakt\ngone|a@example.org", 0, ","],
])("%j has the addresses in column %i, separated by %j", (text, column, separator) => {
  const { layout } = openFile(encoder.encode(text));
  expect([layout.column.email, layout.separator]).toEqual([column, separator]);
});

describe("a file's first row", () => {
  it.each([
    ["\ufeff\n\nemail\na@example.org", { byte: 11, row: 4 }],
    ["\ufeff\na@example.org", { byte: 4, row: 2 }],
    ["email", { byte: 5, row: 2 }],
    ["é@example.org\n", { byte: 0, row: 1 }],
  ])("decides where addresses and notes are: %j, %o", (text, place) => {
    expect(openFile(encoder.encode(text)).place).toEqual(place);
  });
});
