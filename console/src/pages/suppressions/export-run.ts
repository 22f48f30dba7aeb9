// Downloads suppressions as a file. A plain link would carry no header of the console, so that the
// file is read here. The download goes on when the page is left.
import { useSyncExternalStore } from "react";
import { answerTo } from "../../api/api-client.ts";
import { keptTeam } from "../../api/console-session.ts";
import { saveFile } from "../../parts/save-file.ts";
import type { suppressionQuery } from "./suppressions-search.ts";

export type ExportRun =
  | { readonly kind: "running"; readonly bytes: number }
  | { readonly kind: "done"; readonly bytes: number }
  | { readonly kind: "failed"; readonly error: Error };

/** Time between two reports of the bytes read. */
const REPORT_MS = 200;

let run: ExportRun | null = null;
/** The team whose export it is. */
let team: string | undefined;
let abort: AbortController | null = null;
const listeners = new Set<() => void>();

export function useExportRun(): ExportRun | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => (team === keptTeam() ? run : null),
  );
}

export async function beginExport(query: ReturnType<typeof suppressionQuery>): Promise<void> {
  if (run?.kind === "running") return;
  team = keptTeam();
  abort = new AbortController();
  const { signal } = abort;
  report({ kind: "running", bytes: 0 });
  try {
    const path = "/v1/suppressions/export";
    const answer = await answerTo({ method: "GET", path, query, options: { signal } });
    const chunks = await readAll(answer.body);
    saveFile("suppressions.csv", new Blob(chunks, { type: "text/csv" }));
    report({ kind: "done", bytes: bytesOf(chunks) });
  } catch (error) {
    report(signal.aborted ? null : { kind: "failed", error: error as Error });
  }
}

export function stopExport(): void {
  abort?.abort();
  report(null);
}

async function readAll(
  stream: ReadableStream<Uint8Array> | null,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = stream?.getReader();
  let reportedAt = 0;
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    chunks.push(part.value as Uint8Array<ArrayBuffer>);
    if (Date.now() - reportedAt < REPORT_MS) continue;
    reportedAt = Date.now();
    report({ kind: "running", bytes: bytesOf(chunks) });
  }
  return chunks;
}

function bytesOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

function report(next: ExportRun | null): void {
  run = next;
  for (const listener of listeners) listener();
}
