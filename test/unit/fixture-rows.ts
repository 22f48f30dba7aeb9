// Reads the tables in test/fixtures/*.txt. A line `# name` begins a table, each line below it is a
// row, and the text before the first table says what the rows are.

declare global {
  interface ImportMeta {
    glob(
      pattern: string,
      options: { query: "?raw"; import: "default"; eager: true },
    ): Record<string, string>;
  }
}

const FILES: Record<string, string> = import.meta.glob("../fixtures/*.txt", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Returns the lines of each table of test/fixtures/`file`.txt, by the table's name. */
export function tablesOf(file: string): ReadonlyMap<string, readonly string[]> {
  const [, ...tables] = FILES[`../fixtures/${file}.txt`]?.split(/^# /m) ?? [];
  return new Map(
    tables.map((table) => {
      const [name = "", ...lines] = table.split("\n");
      return [name, lines.filter((line) => line !== "")];
    }),
  );
}

/** Returns the lines of one table. */
export function linesOf(file: string, name: string): readonly string[] {
  const lines = tablesOf(file).get(name);
  if (!lines) throw new Error(`test/fixtures/${file}.txt has no table "${name}"`);
  return lines;
}

/** Returns the rows of a table in which each row is JSON. */
export function rowsOf<Row>(file: string, name: string): Row[] {
  return linesOf(file, name).map((line) => JSON.parse(line) as Row);
}

/** Returns the rows of a table in which each row is JSON of two texts. */
export const pairsOf = rowsOf<[string, string]>;
