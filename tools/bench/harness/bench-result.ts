// Prints a bench's results: the notes on the measurement, then a table of rows and goals in
// Markdown, in the form of tools/bench/README.md.

export interface BenchRow {
  readonly work: string;
  readonly measured: string;
  /** The figure to compare with `measured`, or the reason why the peer is missing. */
  readonly against: string;
  /** Our figure divided by the figure in `against`. Null: `against` has no figure. */
  readonly ratio: number | null;
  /** Null: the row has no goal. */
  readonly goal: string | null;
  /** True: the goal is met. Null: the row has no goal, or no figure to compare with the goal. */
  readonly met: boolean | null;
}

export interface BenchResult {
  /** Lines that say what was switched on, and how the figures were measured. */
  readonly notes: readonly string[];
  readonly rows: readonly BenchRow[];
}

const HEADINGS = ["work", "measured", "against", "ratio", "goal", "met"];

export function renderResult({ notes, rows }: BenchResult): string {
  const cells = [HEADINGS, ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const [head, ...body] = cells.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`,
  );
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [...notes.map((note) => `- ${note}`), "", head, rule, ...body].join("\n");
}

function cellsOf({ work, measured, against, ratio, goal, met }: BenchRow): string[] {
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

/** Interpolates linearly between the two nearest values. NaN for an empty list. */
export function percentile(values: readonly number[], fraction: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = Float64Array.from(values).sort();
  const at = (sorted.length - 1) * fraction;
  const low = sorted[Math.floor(at)]!;
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at));
}

/** Formats messages per second for people. */
export function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString("en-US")} msg/s`;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}
