// Prints a bench's results: the notes on the measurement, then a table of rows and goals in
// Markdown, in the form of tools/bench/README.md.

export interface BenchRow {
  readonly work: string;
  readonly measured: string;
  /** The figure to compare with `measured`, or the reason why the peer is missing. */
  readonly against?: string;
  /** Our figure divided by the figure in `against`. */
  readonly ratio?: number | undefined;
  readonly goal?: string | undefined;
  /** True: the goal is met. Undefined: the row has no goal, or no figure to compare with it. */
  readonly met?: boolean | undefined;
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

function cellsOf({ work, measured, against = "", ratio, goal = "", met }: BenchRow): string[] {
  const times = ratio === undefined ? "" : `${ratio.toFixed(2)}x`;
  return [work, measured, against, times, goal, met === undefined ? "" : met ? "yes" : "NO"];
}

type Goal = Pick<BenchRow, "goal" | "met">;

/** Makes a row's goal. `value` is undefined if the peer is missing. */
export function atMost(limit: number, value: number | undefined, unit = "x"): Goal {
  return {
    goal: `≤ ${limit.toLocaleString("en-US")}${unit}`,
    met: value === undefined ? value : value <= limit,
  };
}

export function atLeast(limit: number, value: number | undefined, unit = "x"): Goal {
  return {
    goal: `≥ ${limit.toLocaleString("en-US")}${unit}`,
    met: value === undefined ? value : value >= limit,
  };
}

/** Makes the row that lists the errors of a bench. The goal is that each count is 0. */
export function errorRow(messages: string, counts: Readonly<Record<string, number>>): BenchRow {
  return {
    work: `errors in ${messages}`,
    measured: Object.entries(counts)
      .map(([what, count]) => `${count} ${what}`)
      .join(", "),
    goal: "0",
    met: Object.values(counts).every((count) => count === 0),
  };
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

/** Lists percentiles of times. The name of the fraction 1 is `max`. */
export function spread(times: readonly number[], ...fractions: readonly number[]): string {
  return fractions
    .map((one) => {
      const name = one === 1 ? "max" : `p${one * 100}`;
      return `${name} ${milliseconds(percentile(times, one))}`;
    })
    .join(", ");
}
