// The output of a command: lines and tables for people, or JSON for programs.
import { displayWidth, padToWidth } from "./display-width.ts";
import { printable, printableJson, printableText } from "./printable.ts";
import type { ProgramStreams } from "./program-streams.ts";
import { figure } from "./shown-values.ts";

const GAP = "  ";

/** A number is right-aligned and has thousands separators. */
export type Cell = string | number;

export class CommandOutput {
  readonly isJson: boolean;
  readonly #output: ProgramStreams["output"];

  constructor(isJson: boolean, { output }: Pick<ProgramStreams, "output">) {
    this.isJson = isJson;
    this.#output = output;
  }

  /** Prints `value` as JSON if the command line asks for JSON. Otherwise prints the lines. */
  show(value: unknown, lines: () => readonly string[]): void {
    const text = this.isJson ? printableJson(value, 2) : lines().map(printableText).join("\n");
    if (text !== "") this.#output.write(`${text}\n`);
  }

  /** Prints one item of a series. JSON takes one line, so that a program can read line by line. */
  showOne(value: unknown, line: () => string): void {
    this.#output.write(`${this.isJson ? printableJson(value) : printableText(line())}\n`);
  }

  /** Prints a file's content. On a terminal, control characters are replaced. */
  showFile(text: string): void {
    this.#output.write(this.#output.isTTY ? printableText(text) : text);
  }
}

/** Aligns the columns. */
export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
): readonly string[] {
  const shown = [headings, ...rows].map((row) => row.map(cellText));
  const columns = headings.map((_, column) => ({
    width: Math.max(...shown.map((row) => displayWidth(row[column] ?? ""))),
    isNumeric: rows.length > 0 && rows.every((row) => typeof row[column] === "number"),
  }));
  return shown.map((row) =>
    row
      .map((cell, column) => {
        const width = columns[column]?.width ?? 0;
        return columns[column]?.isNumeric ? cell.padStart(width) : padToWidth(cell, width);
      })
      .join(GAP)
      .trimEnd(),
  );
}

function cellText(cell: Cell): string {
  return typeof cell === "number" ? figure(cell) : printable(cell);
}
