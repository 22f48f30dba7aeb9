// The output of a command: lines and tables for people, or JSON for programs.
import { stdout } from "node:process";
import { displayWidth, padToWidth } from "./display-width.ts";
import { printable, printableJson, printableText } from "./printable.ts";

const GAP = "  ";

export class CommandOutput {
  readonly isJson: boolean;

  constructor(isJson: boolean) {
    this.isJson = isJson;
  }

  /** Prints `value` as JSON, or else the lines. */
  show(value: unknown, lines: () => readonly string[]): void {
    const text = this.isJson ? printableJson(value, 2) : lines().map(printableText).join("\n");
    if (text !== "") stdout.write(`${text}\n`);
  }

  /** Prints one of many: as JSON in one line, so that a program can read line by line. */
  showOne(value: unknown, line: () => string): void {
    stdout.write(`${this.isJson ? printableJson(value) : printableText(line())}\n`);
  }

  /** Prints a file's content: unchanged, unless a person would see it. */
  showFile(text: string): void {
    stdout.write(stdout.isTTY ? printableText(text) : text);
  }
}

/** Aligns the columns. The last is not padded. */
export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const shown = [headings, ...rows].map((row) => row.map(printable));
  const widths = headings.map((_, column) =>
    Math.max(...shown.map((row) => displayWidth(row[column] ?? ""))),
  );
  return shown.map((row) =>
    row
      .map((cell, column) =>
        column === row.length - 1 ? cell : padToWidth(cell, widths[column] ?? 0),
      )
      .join(GAP)
      .trimEnd(),
  );
}
