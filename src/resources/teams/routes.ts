// Serves the operator API for teams, which is outside /v1 and takes the ADMIN_TOKEN (contract.md
// §Operator API).
import type { Settings } from "../../settings.ts";
import { coreFor } from "../../db/client.ts";
import { type ApiRequest, type Endpoint, endpoint, json, listRows } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { newId } from "../../lib/ids.ts";
import { refuse } from "../../refusal.ts";
import { forgetCredentials } from "../api-keys/credentials.ts";
import { hashSecret, mintSecret, prefixOf } from "../api-keys/key-secret.ts";
import { insertApiKey } from "../api-keys/store.ts";
import { toApiKey } from "../api-keys/wire.ts";
import { chooseShard } from "../shards/choose.ts";
import { removeOutboxes } from "../webhooks/outbox/outboxes.ts";
import { forgetTeam } from "../team-settings/team-cache.ts";
import { findCourierProblems } from "../team-settings/courier-choice.ts";
import {
  getTeam,
  insertTeam,
  listTeams,
  listPublishedRecordIds,
  removeTeam,
  type TeamRow,
  updateTeam,
  listWebhookIds,
} from "../team-settings/store.ts";
import {
  toChangedColumns,
  CreatedTeam,
  CreateTeam,
  toNewTeamRow,
  TeamResource,
  toTeam,
  UpdateTeam,
} from "./wire.ts";

/**
 * Maximum number of record ids in one job. A queue message holds 128 KB, and each id takes 35
 * bytes.
 */
const RECORDS_PER_JOB = 1_000;

export const teamEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/admin/teams",
    summary: "Create a team and its first API key",
    description:
      "The key has `full` permissions. Its secret is returned only once, in this response.",
    permission: "operator",
    body: CreateTeam,
    responses: { 201: CreatedTeam },
    async handle({ env, settings, body, now }) {
      const wanted = toNewTeamRow(newId("team"), await chooseShard(env, settings, now), body, now);
      refuseProblems(findCourierProblems(body, wanted, env, settings));
      const row = await insertTeam(env.DB, wanted);
      if (body.overage_credits !== undefined)
        await ledgerOf(env, row.id).setOverageCredits(body.overage_credits);
      const apiKey = await createFirstKey(env, row.id, now);
      return json(201, { ...toTeam(row, body.overage_credits ?? 0, settings), api_key: apiKey });
    },
  }),
  endpoint({
    method: "GET",
    path: "/admin/teams",
    summary: "List teams",
    permission: "operator",
    paginated: true,
    responses: { 200: TeamResource },
    async handle({ env, settings, page, now }) {
      return listRows(
        page,
        (limit, after) => listTeams(env.DB, limit, after),
        (row) => describeTeam(env, settings, row, now),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/admin/teams/:id",
    summary: "Get a team",
    permission: "operator",
    responses: { 200: TeamResource },
    async handle({ env, settings, id, now }) {
      return json(200, await describeTeam(env, settings, await getTeam(env.DB, id), now));
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/admin/teams/:id",
    summary: "Change a team's settings",
    description: "Only the given members change.",
    permission: "operator",
    body: UpdateTeam,
    responses: { 200: TeamResource },
    async handle({ env, settings, id, body, now }) {
      const changes = toChangedColumns(body);
      refuseProblems(
        findCourierProblems(body, { ...(await getTeam(env.DB, id)), ...changes }, env, settings),
      );
      const row = await updateTeam(env.DB, id, { ...changes, updatedAt: now });
      if (body.overage_credits !== undefined)
        await ledgerOf(env, row.id).setOverageCredits(body.overage_credits);
      forgetCredentials(row.id);
      forgetTeam(row.id);
      return json(200, await describeTeam(env, settings, row, now));
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/admin/teams/:id",
    summary: "Delete a team and everything it owns",
    permission: "operator",
    responses: { 204: null },
    handle: deleteTeam,
  }),
];

async function deleteTeam({ env, id, now }: ApiRequest): Promise<{ status: number }> {
  const team = await getTeam(env.DB, id);
  const recordIds = await listPublishedRecordIds(env.DB, id);
  const outboxes = await listWebhookIds(env.DB, id);
  await env.SUPPRESSION_IMPORTS.getByName(id).forget();
  await removeTeam(env.DB, team, now);
  forgetCredentials(id);
  forgetTeam(id);
  const { contentKeys } = await ledgerOf(env, id).destroy();
  await removeOutboxes(env, outboxes);
  if (contentKeys.length > 0) await env.CONTENT.delete(contentKeys);
  for (let at = 0; at < recordIds.length; at += RECORDS_PER_JOB)
    await env.DNS_CLEANUP.send({ recordIds: recordIds.slice(at, at + RECORDS_PER_JOB) });
  return { status: 204 };
}

async function createFirstKey(env: Env, teamId: string, now: number) {
  const secret = mintSecret();
  const row = {
    id: newId("key"),
    name: "First key",
    keyPrefix: prefixOf(secret),
    secretHash: await hashSecret(secret),
    permissions: "full" as const,
    allowedDomains: null,
    allowedIps: null,
    lastUsedAt: null,
    createdAt: now,
  };
  await insertApiKey(coreFor(env, teamId), row);
  return { ...toApiKey(row), key: secret };
}

function refuseProblems(errors: Record<string, string[]>): void {
  if (Object.keys(errors).length > 0) throw refuse("invalid", { errors });
}

async function describeTeam(env: Env, settings: Settings, row: TeamRow, now: number) {
  return toTeam(row, (await ledgerOf(env, row.id).usage(now)).overageCredits, settings);
}

function ledgerOf(env: Env, teamId: string) {
  return env.TEAM_LEDGER.getByName(teamId);
}
