// Serves GET and PATCH /v1/team: the settings that a team changes itself. Only PATCH
// /admin/teams/{id} changes the operator's limits (contract.md §The team's settings).
import type * as z from "zod";
import { mostContentDays } from "../../content-days.ts";
import { coreOf } from "../../db/client.ts";
import { type Endpoint, endpoint, type HttpReply, json } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { etagOf } from "../../lib/crypto/etag.ts";
import { findNearest } from "../../lib/nearest-name.ts";
import { type ClientSupport, clientNames } from "../../lint/client-support.ts";
import { publishedFile } from "../../published-file.ts";
import { refuse, refuseMember } from "../../refusal.ts";
import { forgetTeam } from "../api-keys/credentials.ts";
import {
  getTeam,
  OWN_SETTINGS,
  type TeamRow,
  toCallerTeam,
  updateTeam,
} from "../team-settings/store.ts";
import { removeSentOf } from "../sent-content/sent-objects.ts";
import type { Settings } from "../../settings.ts";
import { writeIfMatch } from "../../write-if-match.ts";
import { tellLedger } from "../team-settings/reach-ledger.ts";
import { TeamSettings, toTeamSettings, UpdateTeamSettings } from "./wire.ts";

export const teamSettingsEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/team",
    summary: "Get the team's own settings",
    operationId: "getTeamSettings",
    permission: "full",
    etag: "read",
    responses: { 200: TeamSettings },
    async handle({ env, settings, caller: { team } }) {
      return show(await getTeam(env, team.id), settings);
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/v1/team",
    summary: "Change the team's own settings",
    description: "Only the given members change.",
    operationId: "updateTeamSettings",
    permission: "full",
    body: UpdateTeamSettings,
    etag: "write",
    audit: { store: "core", operation: "team.update" },
    responses: { 200: TeamSettings },
    async handle(request) {
      const { env, settings, caller, body, now, defer } = request;
      const { content_days: contentDays } = body;
      const changes = await changedColumns(env, body);
      const { id } = caller.team;
      const read = () => getTeam(env, id);
      const row = await writeIfMatch(request, {
        read,
        etagOf: etagOfOwn,
        write: async (before) => {
          const current = before ?? (await read());
          if (Object.keys(changes).length === 0) return current;
          const most = mostContentDays(current.eventRetentionDays, settings.content);
          if (contentDays !== undefined && contentDays > most)
            throw refuseMember(
              "content_days",
              `must be at most ${most}, the team's most_content_days`,
            );
          const columns = { ...changes, updatedAt: now };
          return updateTeam(coreOf(request), columns, OWN_SETTINGS, before);
        },
      });
      forgetTeam(id);
      await tellLedger(env, row);
      if (contentDays === 0) defer(removeSentOf(env.CONTENT, id, now));
      return show(row, settings);
    },
  }),
];

/** Returns the columns of the given members. Throws `invalid` for an unknown mail program. */
async function changedColumns(
  env: Env,
  {
    content_days: contentDays,
    check_rules_off: checkRulesOff,
    mail_clients: mailClients,
    reads_replies: readsReplies,
    topic_names: topicNames,
  }: z.output<typeof UpdateTeamSettings>,
): Promise<Partial<TeamRow>> {
  if (mailClients) await requireKnownClients(env, mailClients);
  return {
    ...(contentDays !== undefined && { contentDays }),
    ...(checkRulesOff !== undefined && { checkRulesOff: [...new Set(checkRulesOff)] }),
    ...(mailClients !== undefined && { mailClients: mailClients && [...new Set(mailClients)] }),
    ...(readsReplies !== undefined && { readsReplies }),
    ...(topicNames !== undefined && { topicNames }),
  };
}

async function requireKnownClients(env: Env, names: readonly string[]): Promise<void> {
  const known = clientNames(await publishedFile<ClientSupport>(env, "client-support.json"));
  const errors = Object.fromEntries(
    names.flatMap((name, index) => {
      if (known.has(name)) return [];
      const near = findNearest(name, known);
      const meant = near === undefined ? "" : `; did you mean ${near}?`;
      return [[`mail_clients.${index}`, [`is not a mail program of caniemail.com${meant}`]]];
    }),
  );
  if (Object.keys(errors).length > 0) throw refuse("invalid", { errors });
}

function show(row: TeamRow, settings: Settings): HttpReply {
  return json(200, toTeamSettings(toCallerTeam(row), row, settings), { ETag: etagOfOwn(row) });
}

/** Makes the ETag of the team's own settings. */
function etagOfOwn(row: TeamRow): string {
  return etagOf(OWN_SETTINGS.map((name) => row[name]));
}
