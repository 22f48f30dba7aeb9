// The output of a command: lines and tables for people, or JSON for programs.
import { stdout } from "node:process";

const GAP = "  ";

export class CommandOutput {
  readonly isJson: boolean;

  constructor(isJson: boolean) {
    this.isJson = isJson;
  }

  /** Prints `value` as JSON, or else the lines. */
  show(value: unknown, lines: () => readonly string[]): void {
    const text = this.isJson ? JSON.stringify(value, null, 2) : lines().join("\n");
    if (text !== "") stdout.write(`${text}\n`);
  }

  /** Prints one of many: as JSON in one line, so that a program can read line by line. */
  showOne(value: unknown, line: () => string): void {
    stdout.write(`${this.isJson ? JSON.stringify(value) : line()}\n`);
  }
}

/** Aligns the columns. The last is not padded. */
export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const shown = [headings, ...rows].map((row) => row.map(printable));
  const widths = headings.map((_, column) =>
    Math.max(...shown.map((row) => row[column]?.length ?? 0)),
  );
  return shown.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join(GAP)
      .trimEnd(),
  );
}

/** Replaces characters that a terminal would interpret. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, "?");
}
