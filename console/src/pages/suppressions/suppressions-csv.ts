// Downloads all suppressions that match a filter, in the service's own CSV format.
import { fetchResponse } from "../../api/api-client.ts";
import type { ExportPart, ExportPlan } from "../../parts/export/export-run.ts";
import { csvName } from "../../parts/export/file-names.ts";
import { askPatiently } from "../../parts/export/patient-pages.ts";
import { RowCounter } from "./csv-rows.ts";
import type { suppressionQuery } from "./suppressions-search.ts";

/**
 * The byte order mark at the beginning of the service's file. It is removed, because saveCsv() adds
 * its own.
 */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Reads the file with requests of the console, because a plain link would not send the console's
 * header.
 */
export function suppressionsFile(
  query: ReturnType<typeof suppressionQuery>,
  total: number | null,
): ExportPlan {
  return {
    name: csvName("suppressions", Date.now()),
    total,
    read: (signal) => readFile(query, signal),
  };
}

async function* readFile(
  query: ReturnType<typeof suppressionQuery>,
  signal: AbortSignal,
): AsyncGenerator<ExportPart, undefined> {
  const path = "/v1/suppressions/export";
  const call = { method: "GET", path, query, options: { signal } } as const;
  const answer = await askPatiently(() => fetchResponse(call), signal);
  const counter = new RowCounter();
  const reader = answer.body?.getReader();
  let skipped = BYTE_ORDER_MARK.length;
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    const text = part.value.subarray(skipped);
    skipped -= part.value.length - text.length;
    yield { text, rows: counter.add(text) };
  }
}
