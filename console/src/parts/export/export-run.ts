// Collects a file of many rows, and lets the browser save it. An export continues when the person
// leaves its page. If the service asks for a wait, the export pauses for that time.
import { useSyncExternalStore } from "react";
import { cachedTeam } from "../../api/console-session.ts";
import { saveCsv } from "../save-file.ts";

/** A part of the file. `rows` is the number of rows read so far. */
export interface ExportPart {
  readonly text: BlobPart;
  readonly rows: number;
}

export interface ExportPlan {
  /** The file's name. */
  readonly name: string;
  /** The total number of rows, if known. */
  readonly total: number | null;
  readonly read: (signal: AbortSignal) => AsyncIterable<ExportPart>;
}

export type ExportRun = Pick<ExportPlan, "name" | "total"> &
  (
    | { readonly kind: "running" | "done"; readonly rows: number }
    | { readonly kind: "failed"; readonly error: Error; readonly retry: () => void }
  );

/** Time between two progress updates. */
const REPORT_MS = 200;

let run: ExportRun | null = null;
/** The team that the export belongs to. */
let team: string | undefined;
let abort: AbortController | null = null;
const listeners = new Set<() => void>();

export function useExportRun(): ExportRun | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => (team === cachedTeam() ? run : null),
  );
}

export async function beginExport(plan: ExportPlan): Promise<void> {
  if (run?.kind === "running") return;
  const { name, total } = plan;
  team = cachedTeam();
  abort = new AbortController();
  const { signal } = abort;
  report({ kind: "running", name, total, rows: 0 });
  const texts: BlobPart[] = [];
  let [rows, reportedAt] = [0, Date.now()];
  try {
    for await (const part of plan.read(signal)) {
      signal.throwIfAborted();
      texts.push(part.text);
      rows = part.rows;
      if (Date.now() - reportedAt < REPORT_MS) continue;
      reportedAt = Date.now();
      report({ kind: "running", name, total, rows });
    }
    saveCsv(name, texts);
    report({ kind: "done", name, total, rows });
  } catch (error) {
    const retry = (): void => void beginExport(plan);
    if (!signal.aborted) report({ kind: "failed", name, total, error: error as Error, retry });
  }
}

export function stopExport(): void {
  abort?.abort();
  report(null);
}

function report(next: ExportRun | null): void {
  run = next;
  for (const listener of listeners) listener();
}
