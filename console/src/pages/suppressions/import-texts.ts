// Describes the progress of an import. Pure.
import type { SuppressionImports } from "../../../../packages/postern/src/generated/types.ts";
import { formatCount, formatDuration } from "../../parts/figures.ts";

type ImportCounts = Omit<SuppressionImports, "id" | "errors">;

/** The first progress that this tab saw. The speed of the import is computed from it. */
export interface ImportSeen {
  /**
   * The number of rows in the file. Null: the number is not known, because the page was reloaded
   * after the upload.
   */
  readonly rows: number | null;
  /** The time of the first poll, Unix milliseconds, and the progress at that time. */
  readonly at: number;
  readonly total: number;
}

/** Describes the progress, the speed and the remaining time of the import. */
export function progressText(counts: ImportCounts, seen: ImportSeen | null, now: number): string {
  const { status, total, imported, skipped, failed } = counts;
  const result = `${formatCount(imported)} added, ${formatCount(skipped)} already suppressed, ${formatCount(failed)} invalid`;
  if (status === "done") return `Done, ${formatCount(total)} rows: ${result}.`;
  if (status === "failed")
    return `The import stopped after ${formatCount(total)} rows: ${result}. Import the file again; rows that are stored already are skipped.`;
  const rows = seen?.rows ?? null;
  const done =
    rows === null
      ? `${formatCount(total)} rows`
      : `${formatCount(total)} of ${formatCount(rows)} rows`;
  return [`${done}: ${result}`, ...speedWords(counts, seen, now)].join(" · ");
}

function speedWords({ total }: ImportCounts, seen: ImportSeen | null, now: number): string[] {
  if (seen === null || now <= seen.at || total <= seen.total) return [];
  const perMs = (total - seen.total) / (now - seen.at);
  const speed = `${formatCount(Math.max(1, Math.round(perMs * 1_000)))} rows/s`;
  const left = seen.rows === null ? 0 : seen.rows - total;
  return left > 0
    ? [speed, `about ${formatDuration(Math.max(1_000, left / perMs))} left`]
    : [speed];
}
