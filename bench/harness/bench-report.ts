// How a bench tells what it measured: a table of goals in Markdown, as bench/README.md carries it,
// with what was switched on above it.

export interface Row {
  readonly work: string;
  readonly measured: string;
  /** What `measured` is compared with: a peer's figure, or why there is none. */
  readonly against: string;
  /** Ours through the other's; null: there is nothing to divide by. */
  readonly ratio: number | null;
  /** null: this row is for information. */
  readonly goal: string | null;
  /** null: no goal, or nothing to hold against it. */
  readonly met: boolean | null;
}

export interface BenchReport {
  /** One line each: what was on, and how the figures came about. */
  readonly notes: readonly string[];
  readonly rows: readonly Row[];
}

const HEADINGS = ["work", "measured", "against", "ratio", "goal", "met"];

export function renderReport({ notes, rows }: BenchReport): string {
  const cells = [HEADINGS, ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const [head, ...body] = cells.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`,
  );
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [...notes.map((note) => `- ${note}`), "", head, rule, ...body].join("\n");
}

function cellsOf({ work, measured, against, ratio, goal, met }: Row): string[] {
  return [
    work,
    measured,
    against,
    ratio === null ? "" : `${ratio.toFixed(2)}x`,
    goal ?? "",
    met === null ? "" : met ? "yes" : "NO",
  ];
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** By linear interpolation between the two nearest values; NaN for none. */
export function percentile(values: readonly number[], fraction: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = Float64Array.from(values).sort();
  const at = (sorted.length - 1) * fraction;
  const low = sorted[Math.floor(at)]!;
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at));
}

/** Messages a second, for people. */
export function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString("en-US")} msg/s`;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}
