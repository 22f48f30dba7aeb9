// Serves /console/members, where owners invite, change and remove the people of their team
// (docs/people.md). Serves POST /admin/teams/{id}/invitations, where the operator invites a team's
// first owner. Neither path is under /v1, so a leaked key cannot invite anyone.
import { coreFor, coreOf, type Scope } from "../../../db/client.ts";
import {
  type ApiRequest,
  type Endpoint,
  endpoint,
  type HttpReply,
  json,
} from "../../../endpoint.ts";
import { newId } from "../../../lib/ids.ts";
import { INVITATION_MS, MEMBERS_PER_TEAM } from "../../../limits.ts";
import type { MemberRights } from "../../../member-rights.ts";
import { refuse, type RefusalError } from "../../../refusal.ts";
import { forgetTeam } from "../../../resources/api-keys/credentials.ts";
import { listKeysMadeBy } from "../../../resources/api-keys/store.ts";
import { toApiKey } from "../../../resources/api-keys/wire.ts";
import {
  getMember,
  insertInvitation,
  listInvitations,
  listMembers,
  type MemberRow,
  removeInvitation,
  removeMember,
  updateMember,
} from "../../../resources/members/store.ts";
import { getTeam } from "../../../resources/team-settings/store.ts";
import { sealInvitation } from "../session-seal.ts";
import { mailInvitation } from "./mail-invitation.ts";
import {
  InviteMember,
  InviteOwner,
  Members,
  MemberWithKeys,
  Member,
  NewInvitation,
  toInvitation,
  toMember,
  toRightsChange,
  UpdateMember,
} from "./wire.ts";

export const memberEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/console/members",
    summary: "List the team's members and invitations",
    description: "Also lists the members who were removed, with `removed_at`.",
    operationId: "listMembers",
    permission: "owner",
    responses: { 200: Members },
    async handle(request) {
      const [members, invitations] = await Promise.all([
        listMembers(coreOf(request)),
        listInvitations(coreOf(request), request.now),
      ]);
      return json(200, {
        members: members.map(toMember),
        invitations: invitations.map(toInvitation),
      });
    },
  }),
  endpoint({
    method: "POST",
    path: "/console/members",
    summary: "Invite a person to the team",
    description:
      "The link works once, for 7 days, and only for a person whose identity provider verified " +
      "the address. Another invitation of the address replaces the first.",
    operationId: "inviteMember",
    permission: "owner",
    body: InviteMember,
    audit: { store: "core", operation: "member.invite" },
    responses: { 201: NewInvitation },
    handle(request) {
      const { email, role, send_mail: isMailed, ...switches } = request.body;
      const rights = {
        role,
        mayLift: switches.may_lift_suppressions,
        mayReadContent: switches.may_read_content,
      };
      const { team } = request.caller;
      return invite(request, coreOf(request), { email, rights, teamName: team.name, isMailed });
    },
  }),
  endpoint({
    method: "GET",
    path: "/console/members/:id",
    summary: "Get a member, with the keys that the person made",
    operationId: "getMember",
    permission: "owner",
    responses: { 200: MemberWithKeys },
    async handle(request) {
      const scope = coreOf(request);
      const member = await getMember(scope, request.id);
      if (!member) throw refuse("not_found");
      const keys = await listKeysMadeBy(scope, member.id);
      return json(200, { ...toMember(member), api_keys: keys.map(toApiKey) });
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/console/members/:id",
    summary: "Change a member's role and switches",
    description: "In force within a minute. A team keeps at least one owner.",
    operationId: "updateMember",
    permission: "owner",
    body: UpdateMember,
    audit: { store: "core", operation: "member.update" },
    responses: { 200: Member },
    async handle(request) {
      const scope = coreOf(request);
      const changes = toRightsChange(request.body);
      const row =
        Object.keys(changes).length === 0
          ? await presentMember(scope, request.id)
          : await updateMember(scope, request.id, changes);
      if (!row) throw await refusalOf(scope, request.id, "role");
      forgetTeam(scope.teamId);
      return json(200, toMember(row));
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/console/members/:id",
    summary: "Remove a member, or withdraw an invitation",
    description:
      "Takes the id of either. The person's sessions end within a minute; the keys that the " +
      "person made work on until they are deleted. A team keeps at least one owner.",
    operationId: "removeMember",
    permission: "owner",
    audit: { store: "core", operation: "member.remove" },
    responses: { 204: null },
    async handle(request) {
      const scope = coreOf(request);
      const isGone =
        (await removeInvitation(scope, request.id)) ||
        (await removeMember(scope, request.id, request.now)) !== undefined;
      if (!isGone) throw await refusalOf(scope, request.id, "id");
      forgetTeam(scope.teamId);
      return { status: 204 };
    },
  }),
  endpoint({
    method: "POST",
    path: "/admin/teams/:id/invitations",
    summary: "Invite a team's first owner",
    description: "Answers with a link for a person who signs in by Cloudflare Access.",
    operationId: "inviteTeamOwner",
    permission: "operator",
    body: InviteOwner,
    audit: { store: "core", operation: "member.invite" },
    responses: { 201: NewInvitation },
    async handle(request) {
      const { env, id, author, body } = request;
      const { name: teamName } = await getTeam(env, id);
      const rights = { role: body.role, mayLift: false, mayReadContent: false };
      const invited = { email: body.email, rights, teamName, isMailed: false };
      return invite(request, coreFor(env, id, author), invited);
    },
  }),
];

interface Invited {
  readonly email: string;
  readonly rights: MemberRights;
  readonly teamName: string;
  readonly isMailed: boolean;
}

async function invite(
  request: ApiRequest,
  scope: Scope,
  { email, rights, teamName, isMailed }: Invited,
): Promise<HttpReply> {
  const { settings, now } = request;
  if (!settings.access)
    throw refuse("invalid", {
      errors: { email: ["can't be invited: the operator has not set ACCESS_ISSUER"] },
    });
  if (isMailed && !settings.notices)
    throw refuse("invalid", {
      errors: { send_mail: ["needs the operator's settings NOTICES_TEAM and NOTICES_FROM"] },
    });
  const id = newId("invitation");
  const row = { id, email, ...rights, createdAt: now, expiresAt: now + INVITATION_MS };
  if (!(await insertInvitation(scope, row)))
    throw refuse("invalid", {
      errors: { members: [`are limited to ${MEMBERS_PER_TEAM} per team, with invitations`] },
    });
  const token = await sealInvitation(settings, { ...row, teamId: scope.teamId });
  const link = `${settings.access.consoleUrl}/console/invitation?code=${token}`;
  const mailed = isMailed && (await mailInvitation(request, { email, teamName, link }));
  return json(201, { ...toInvitation(row), url: link, mailed });
}

async function presentMember(scope: Scope, id: string): Promise<MemberRow | undefined> {
  const row = await getMember(scope, id);
  return row?.removedAt === null ? row : undefined;
}

/**
 * Returns why the member was not changed: the team has no such member, or the member is its last
 * owner.
 */
async function refusalOf(scope: Scope, id: string, field: string): Promise<RefusalError> {
  return (await presentMember(scope, id))
    ? refuse("invalid", { errors: { [field]: ["is that of the team's last owner"] } })
    : refuse("not_found");
}
