// Reads the tables of refusals in test/fixtures/refusals. Each line there that is not a comment is
// a refusal; its columns are separated by ` | `.

const FILES: Record<string, string> = import.meta.glob("../../fixtures/refusals/*.txt", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Returns the rows of a table as lists of cells. Throws if the table does not exist. */
export function rowsOf(name: string): string[][] {
  const text = FILES[`../../fixtures/refusals/${name}.txt`];
  if (text === undefined) throw new Error(`no table ${name}.txt in test/fixtures/refusals`);
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split(" | "));
}
