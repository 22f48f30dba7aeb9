// Imports of suppressions (contract.md §Imports): POST /v1/suppressions/import keeps a file and
// answers, GET /v1/suppressions/imports/{id} tells how far its import has come; SuppressionImports
// does the rest.
import { type ApiRequest, type Endpoint, endpoint, json, type HttpReply } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { newId } from "../../lib/ids.ts";
import { HOUR_MS, SUPPRESSION_IMPORTS } from "../../limits.ts";
import { refuse } from "../../refusal.ts";
import { fileKey, openFile } from "./import-file.ts";
import { SuppressionImport, SuppressionImportBegun } from "./wire.ts";

/** A file that is younger may belong to an import that begins just now. */
const SETTLED_AFTER_MS = HOUR_MS / 4;
/** Of up to 1,000 files. */
const FILE_PAGES = 20;

export const importEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/v1/suppressions/import",
    summary: "Suppress the addresses of a CSV file",
    description:
      "UTF-8. The first row names the columns: `email`, and `topic` and `note` where wanted; a file of one column needs no such row. Answers once the file is kept; the import goes on by itself. " +
      `A team may have ${SUPPRESSION_IMPORTS} imports under way; one more is refused (\`errors.imports\`).`,
    operationId: "importSuppressions",
    permission: "full",
    accepts: "text/csv",
    responses: { 202: SuppressionImportBegun },
    handle: begin,
  }),
  endpoint({
    method: "GET",
    path: "/v1/suppressions/imports/:id",
    summary: "Get an import of suppressions",
    description:
      "How many rows the import has read so far, and what became of them: `total` is the sum of `imported`, `skipped` (suppressed already) and `failed`. Good rows are stored although others are not. " +
      "`errors` shows the first 1,000, by the row as a spreadsheet counts. An import is shown for 7 days after its end.",
    operationId: "getSuppressionImport",
    permission: "full",
    responses: { 200: SuppressionImport },
    async handle({ env, caller: { team }, params }) {
      const found = await env.SUPPRESSION_IMPORTS.getByName(team.id).find(params["id"] ?? "");
      if (!found) throw refuse("not_found");
      return json(200, found);
    },
  }),
];

async function begin({ env, caller: { team }, bytes, now }: ApiRequest): Promise<HttpReply> {
  const opened = openFile(bytes);
  const id = newId("imp");
  await env.CONTENT.put(fileKey(team.id, id), bytes);
  if (
    await env.SUPPRESSION_IMPORTS.getByName(team.id).begin(
      { id, size: bytes.length, ...opened },
      now,
    )
  )
    return json(202, { id, status: "running" });
  await env.CONTENT.delete(fileKey(team.id, id));
  throw refuse("invalid", {
    errors: {
      imports: [
        `are ${SUPPRESSION_IMPORTS} under way already, which is the most that a team may have`,
      ],
    },
  });
}

/**
 * For the hourly sweep: an import whose alarm was lost goes on, and a file that no import needs is
 * removed.
 */
export async function restoreImportAlarms(
  { CONTENT: bucket, SUPPRESSION_IMPORTS: imports }: Env,
  now: number,
): Promise<void> {
  let cursor: string | undefined;
  for (let page = 0; page < FILE_PAGES; page += 1) {
    const listed = await bucket.list({
      prefix: fileKey("", "").slice(0, -1),
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const { key, uploaded } of listed.objects) {
      if (uploaded.getTime() > now - SETTLED_AFTER_MS) continue;
      const [, teamId = "", id = ""] = key.split("/");
      if (!(await imports.getByName(teamId).restoreAlarm(id))) await bucket.delete(key);
    }
    if (!listed.truncated) return;
    cursor = listed.cursor;
  }
}
