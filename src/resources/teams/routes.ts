// Serves the operator API for teams (contract.md §Operator API). Callers need the ADMIN_TOKEN.
import type { Settings } from "../../settings.ts";
import { coreFor } from "../../db/client.ts";
import { coreWith, newIdOn } from "../../db/core-shards.ts";
import { type ApiRequest, type Endpoint, endpoint, json, listRows } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { etagOf } from "../../lib/crypto/etag.ts";
import { writeIfMatch } from "../../write-if-match.ts";
import { refuse } from "../../refusal.ts";
import { forgetTeam } from "../api-keys/credentials.ts";
import { createApiKey, type KeySettings } from "../api-keys/store.ts";
import { toApiKey } from "../api-keys/wire.ts";
import { removeRepliesOf } from "../replies/reply-retention.ts";
import { removeSentOf } from "../sent-content/sent-objects.ts";
import { listOnboardedNames } from "../domains/onboarding/store.ts";
import { chooseCore } from "../shards/choose-core.ts";
import { chooseShard } from "../shards/choose.ts";
import { removeOutboxes } from "../webhooks/outbox/outboxes.ts";
import { findCourierProblems } from "../team-settings/courier-choice.ts";
import { findRegionProblems } from "../team-settings/region-choice.ts";
import {
  getTeam,
  insertTeam,
  listTeams,
  listPublishedRecordIds,
  removeTeam,
  setStartingCredits,
  OPERATOR_SETTINGS,
  type TeamRow,
  updateTeam,
  listWebhookIds,
} from "../team-settings/store.ts";
import {
  toChangedColumns,
  CreatedTeam,
  CreateTeam,
  TeamListQuery,
  toNewTeamRow,
  TeamResource,
  toTeam,
  UpdateTeam,
} from "./wire.ts";
import { objectOf } from "../../object-of.ts";
import { ledgerOf, tellLedger } from "../team-settings/reach-ledger.ts";

/** Maximum number of record ids in one job. A queue message has up to 128 KB, an id 35 bytes. */
const RECORDS_PER_JOB = 1_000;

const FIRST_KEY: KeySettings = {
  name: "First key",
  permissions: "full",
  allowedDomains: null,
  allowedIps: null,
};

export const teamEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/admin/teams",
    summary: "Create a team and its first API key",
    description:
      "The key has `full` permissions. Its secret is returned only once, in this response.",
    permission: "operator",
    body: CreateTeam,
    audit: { store: "core", operation: "team.create" },
    responses: { 201: CreatedTeam },
    async handle({ env, settings, body, author, now }) {
      const core = await chooseCore(env);
      const shard = await chooseShard(env, settings, now);
      const wanted = toNewTeamRow(newIdOn(core.shard, "team"), shard, body, now);
      refuseProblems({
        ...findCourierProblems(body, wanted, env, settings),
        ...findRegionProblems(body.region, wanted, env),
      });
      const row = await insertTeam(coreFor(env, wanted.id, author), wanted, core.numbers);
      const { row: key, secret } = await createApiKey(coreFor(env, row.id), FIRST_KEY, now);
      const apiKey = { ...toApiKey(key), key: secret };
      return json(201, { ...toTeam(row, row.startingCredits, settings), api_key: apiKey });
    },
  }),
  endpoint({
    method: "GET",
    path: "/admin/teams",
    summary: "List teams",
    permission: "operator",
    query: TeamListQuery,
    paginated: true,
    responses: { 200: TeamResource },
    async handle({ env, settings, page, query: { q }, now }) {
      return listRows(
        page,
        (limit, after) => listTeams(env, limit, after, q),
        (row) => describeTeam(env, settings, row, now),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/admin/teams/:id",
    summary: "Get a team",
    permission: "operator",
    etag: "read",
    responses: { 200: TeamResource },
    async handle({ env, settings, id, now }) {
      const row = await getTeam(env, id);
      return json(200, await describeTeam(env, settings, row, now), { ETag: etagOfTeam(row) });
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/admin/teams/:id",
    summary: "Change a team's settings",
    description: "Only the given members change.",
    permission: "operator",
    body: UpdateTeam,
    etag: "write",
    audit: { store: "core", operation: "team.update" },
    responses: { 200: TeamResource },
    async handle(request) {
      const { env, settings, id, body, author, now } = request;
      const scope = coreFor(env, id, author);
      const elsewhere = body.overage_credits === undefined ? [] : ["overage_credits"];
      const changes = toChangedColumns(body);
      const read = () => getTeam(env, id);
      const row = await writeIfMatch(request, {
        read,
        etagOf: etagOfTeam,
        write: async (before) => {
          const current = before ?? (await read());
          const result = { ...current, ...changes };
          refuseProblems({
            ...findCourierProblems(body, result, env, settings),
            ...findRegionProblems(body.region, current, env),
          });
          const columns = { ...changes, updatedAt: now };
          return updateTeam(scope, columns, OPERATOR_SETTINGS, before, elsewhere);
        },
      });
      const changed = await setCredits(env, row, body.overage_credits);
      forgetTeam(row.id);
      await tellLedger(env, row);
      return json(200, await describeTeam(env, settings, changed, now), { ETag: etagOfTeam(row) });
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/admin/teams/:id",
    summary: "Delete a team and everything it owns",
    permission: "operator",
    audit: { store: "core", operation: "team.delete" },
    responses: { 204: null },
    handle: deleteTeam,
  }),
];

async function deleteTeam({ env, id, author, now }: ApiRequest): Promise<{ status: number }> {
  const scope = coreFor(env, id, author);
  const team = await getTeam(env, id);
  const recordIds = await listPublishedRecordIds(scope.db, id);
  const onboarded = await listOnboardedNames(env, id);
  const outboxes = await listWebhookIds(scope.db, id);
  await objectOf(env, "SUPPRESSION_IMPORTS", id).forget();
  const firstMail = await removeTeam(scope, team, now);
  forgetTeam(id);
  const { contentKeys } = firstMail
    ? await ledgerOf(env, { id, firstMail }).destroy()
    : { contentKeys: [] };
  await objectOf(env, "REQUEST_LOG", id).forget();
  await removeOutboxes(env, outboxes);
  if (contentKeys.length > 0) await env.CONTENT.delete(contentKeys);
  await removeRepliesOf(env, team);
  await removeSentOf(env.CONTENT, id, now);
  for (let at = 0; at < recordIds.length; at += RECORDS_PER_JOB)
    await env.DNS_CLEANUP.send({ recordIds: recordIds.slice(at, at + RECORDS_PER_JOB) });
  for (const name of onboarded) await env.DNS_CLEANUP.send({ offboard: name });
  return { status: 204 };
}

/** Makes the ETag of the team's settings, without the credits, which every send may change. */
function etagOfTeam(row: TeamRow): string {
  return etagOf(OPERATOR_SETTINGS.map((name) => row[name]));
}

function refuseProblems(errors: Record<string, string[]>): void {
  if (Object.keys(errors).length > 0) throw refuse("invalid", { errors });
}

async function describeTeam(env: Env, settings: Settings, row: TeamRow, now: number) {
  const { startingCredits } = row;
  const credits = row.firstMail
    ? (await ledgerOf(env, row).usage(now, startingCredits)).overageCredits
    : startingCredits;
  return toTeam(row, credits, settings);
}

/**
 * Sets a team's credits, and returns its row. The row stores the credits until the team has a
 * ledger, which then counts them.
 */
async function setCredits(env: Env, row: TeamRow, credits: number | undefined): Promise<TeamRow> {
  if (credits === undefined) return row;
  const db = coreWith(env, row.id);
  if (await setStartingCredits(db, row.id, credits)) return { ...row, startingCredits: credits };
  const current = await getTeam(env, row.id);
  await ledgerOf(env, current).setOverageCredits(credits);
  return current;
}
