// Serves imports of suppressions (contract.md §Imports). POST /v1/suppressions/import stores a file
// and begins its import. GET /v1/suppressions/imports/{id} returns the progress. The Durable Object
// SuppressionImports imports the rows.
import { entryBy } from "../../audit.ts";
import { listObjects } from "../../db/stored-objects.ts";
import { type ApiRequest, type Endpoint, endpoint, json, type HttpReply } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { GatheredFaults } from "../../lib/gathered-faults.ts";
import { newId } from "../../lib/ids.ts";
import { HOUR_MS, SUPPRESSION_IMPORTS } from "../../limits.ts";
import { requireRow, refuseMember } from "../../refusal.ts";
import { fileKey } from "./import-file.ts";
import { openFile } from "./import-layout.ts";
import { SuppressionImport, SuppressionImportBegun } from "./wire.ts";
import { objectOf } from "../../object-of.ts";

/** The sweep does not delete a younger file, because its import may not have begun yet. */
const SETTLED_AFTER_MS = HOUR_MS / 4;
/** Maximum number of pages that one sweep lists, each with up to 1,000 files. */
const FILE_PAGES = 20;

export const importEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/v1/suppressions/import",
    summary: "Suppress the addresses of a CSV file",
    description:
      "The file is UTF-8. Its columns are separated by commas, semicolons, tabs or `|`. Its " +
      "first row names the columns: `email`, and optionally `topic` and `note`. A file with one " +
      "column of addresses needs no such name. The response comes once the file " +
      `is stored; the import runs in the background. A team can run ${SUPPRESSION_IMPORTS} ` +
      "imports at a time; another is refused (`errors.imports`).",
    operationId: "importSuppressions",
    permission: "full",
    accepts: "text/csv",
    audit: { store: "import", operation: "suppression.import" },
    responses: { 202: SuppressionImportBegun },
    handle: begin,
  }),
  endpoint({
    method: "GET",
    path: "/v1/suppressions/imports/:id",
    summary: "Get an import of suppressions",
    description:
      "Counts the rows that the import has read so far: `total` is the sum of `imported`, " +
      "`skipped` (already suppressed) and `failed`. Valid rows are stored even if others " +
      "fail. `errors` lists the first 1,000 errors, with row numbers as in a spreadsheet. An " +
      "import can be read for 7 days after its end.",
    operationId: "getSuppressionImport",
    permission: "full",
    responses: { 200: SuppressionImport },
    async handle({ env, caller: { team }, id }) {
      return json(200, requireRow(await objectOf(env, "SUPPRESSION_IMPORTS", team.id).find(id)));
    },
  }),
];

async function begin({ env, caller, bytes, author, now }: ApiRequest): Promise<HttpReply> {
  const { team } = caller;
  const opened = openFile(bytes);
  const id = newId("imp");
  await env.CONTENT.put(fileKey(team.id, id), bytes);
  if (
    await objectOf(env, "SUPPRESSION_IMPORTS", team.id).begin(
      { id, size: bytes.length, ...opened },
      now,
      author && entryBy(author, id),
    )
  )
    return json(202, { id, status: "running" });
  await env.CONTENT.delete(fileKey(team.id, id));
  throw refuseMember(
    "imports",
    `are limited to ${SUPPRESSION_IMPORTS} at a time per team: wait until an import has ended`,
  );
}

/** Restarts imports that lost their alarm, and deletes files without a running import. */
export async function restoreImportAlarms(env: Env, now: number): Promise<void> {
  const bucket = env.CONTENT;
  const faults = new GatheredFaults();
  const restore = async (key: string): Promise<void> => {
    const [, teamId = "", id = ""] = key.split("/");
    if (!(await objectOf(env, "SUPPRESSION_IMPORTS", teamId).restoreAlarm(id)))
      await bucket.delete(key);
  };
  const prefix = fileKey("", "").slice(0, -1);
  for await (const old of listObjects(bucket, prefix, now - SETTLED_AFTER_MS, FILE_PAGES))
    for (const { key } of old) await faults.of(restore(key));
  faults.throwAny();
}
