// Declares the JSON of a team's members and invitations (docs/people.md).
import * as z from "zod";
import type { MemberRights } from "../../../member-rights.ts";
import { ROLES } from "../../../member-rights.ts";
import { ApiKey } from "../../../resources/api-keys/wire.ts";
import type { InvitationRow, MemberRow } from "../../../resources/members/store.ts";

const EMAIL_CHARACTERS = 320;

const role = z
  .enum(ROLES)
  .describe("`owner`; `developer`: all but members and the trail; `viewer`: reads.");
const mayLift = z
  .boolean()
  .describe("A viewer may lift suppressions and send messages again. Others always may.");
const mayReadContent = z
  .boolean()
  .describe("A viewer may read the content of messages. Others always may.");

export const InviteMember = z
  .object({
    email: z.email("is not an email address").max(EMAIL_CHARACTERS).toLowerCase(),
    role,
    may_lift_suppressions: mayLift.default(false),
    may_read_content: mayReadContent.default(false),
    send_mail: z
      .boolean()
      .default(false)
      .describe("Sends the link by mail, if the operator has set NOTICES_TEAM."),
  })
  .meta({ id: "InviteMember" });

export const InviteOwner = z
  .object({
    email: InviteMember.shape.email,
    role: role.default("owner"),
  })
  .meta({ id: "InviteOwner" });

export const UpdateMember = z
  .object({
    role: role.optional(),
    may_lift_suppressions: mayLift.optional(),
    may_read_content: mayReadContent.optional(),
  })
  .meta({ id: "UpdateMember" });

const Rights = z.object({
  role: z.enum(ROLES),
  may_lift_suppressions: z.boolean(),
  may_read_content: z.boolean(),
});

export const Member = Rights.extend({
  id: z.string(),
  email: z.string(),
  created_at: z.iso.datetime(),
  removed_at: z.iso.datetime().nullable(),
}).meta({ id: "Member" });

export const MemberWithKeys = Member.extend({
  api_keys: z.array(ApiKey).describe("The keys that the person made and that still exist."),
}).meta({ id: "MemberWithKeys" });

export const Invitation = Rights.extend({
  id: z.string(),
  email: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
}).meta({ id: "Invitation" });

export const NewInvitation = Invitation.extend({
  url: z.url().describe("Works once, for the invited address. Only in this response."),
  mailed: z.boolean().describe("True: the service took a mail with the link."),
}).meta({ id: "NewInvitation" });

export const Members = z
  .object({ members: z.array(Member), invitations: z.array(Invitation) })
  .meta({ id: "Members" });

export function toMember(row: MemberRow): z.output<typeof Member> {
  return {
    id: row.id,
    email: row.email,
    ...toRights(row),
    created_at: new Date(row.createdAt).toISOString(),
    removed_at: row.removedAt === null ? null : new Date(row.removedAt).toISOString(),
  };
}

export function toInvitation(row: Omit<InvitationRow, "teamId">): z.output<typeof Invitation> {
  return {
    id: row.id,
    email: row.email,
    ...toRights(row),
    created_at: new Date(row.createdAt).toISOString(),
    expires_at: new Date(row.expiresAt).toISOString(),
  };
}

/** Returns the rights that the request's body gives. */
export function toRightsChange(body: z.output<typeof UpdateMember>): Partial<MemberRights> {
  const { role: newRole, may_lift_suppressions: lift, may_read_content: content } = body;
  return {
    ...(newRole !== undefined && { role: newRole }),
    ...(lift !== undefined && { mayLift: lift }),
    ...(content !== undefined && { mayReadContent: content }),
  };
}

function toRights({ role: own, mayLift: lift, mayReadContent: content }: MemberRights) {
  return { role: own, may_lift_suppressions: lift, may_read_content: content };
}
