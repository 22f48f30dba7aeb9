// Examples of the operations on members, the trail, and versions of templates.
import { AT, type Example, TEAM, UUID } from "./example-values.ts";

const PERSON = "ada@example.com";
const RIGHTS = { role: "viewer", may_lift_suppressions: true, may_read_content: false } as const;

const member = {
  id: "member_3f1c7b64-93d5-4c39-8d0a-2d1a5f0b7e11",
  email: PERSON,
  ...RIGHTS,
  created_at: AT,
  removed_at: null,
};

const invitation = {
  id: "invitation_8a1e0a56-0d2c-4c0e-9f0b-6f6d1c8b2a90",
  email: PERSON,
  ...RIGHTS,
  created_at: AT,
  expires_at: "2026-11-27T09:00:00.000Z",
};

const newInvitation = {
  ...invitation,
  url: "https://post.example.com/console/invitation?code=AZ5bbJQ-fjWzePdEAJNvMQ",
  mailed: false,
};

const session = {
  team: { id: TEAM.id, name: TEAM.name },
  api_key: null,
  person: { id: member.id, email: PERSON, ...RIGHTS },
  teams: [{ id: TEAM.id, name: TEAM.name, role: "viewer" }],
  operations: ["GET /v1/email/{id}", "DELETE /v1/suppressions/{email}"],
  expires_at: AT,
};

const record = {
  id: "audit_01a1fb6c-943e-7e35-b378-f74400936f31",
  at: AT,
  actor: { kind: "person", id: member.id, name: PERSON },
  via: "console",
  operation: "template.publish",
  target: `template_${UUID}`,
  changed: [],
  request_id: "req_01a1fb6c-943e-7e35-b378-f74400936f30",
};

const version = {
  version: 2,
  subject: "Your receipt",
  bytes: 412,
  is_published: true,
  published_at: AT,
};

const content = {
  html: "<p>Dear {{name}}</p>",
  text: "Dear {{name}}",
  markdown: null,
  from: null,
  reply_to: null,
  fallbacks: null,
};

export const PEOPLE_EXAMPLES: Readonly<Record<string, Example>> = {
  switchTeam: { request: { team_id: TEAM.id }, response: session },
  getSignInMethods: { response: { access: true, keys: true } },
  listMembers: { response: { members: [member], invitations: [invitation] } },
  inviteMember: { request: { email: PERSON, ...RIGHTS }, response: newInvitation },
  getMember: { response: { ...member, api_keys: [] } },
  updateMember: { request: { role: "developer" }, response: { ...member, role: "developer" } },
  inviteTeamOwner: {
    request: { email: PERSON },
    response: { ...newInvitation, role: "owner", may_lift_suppressions: false },
  },
  listAudit: { response: record },
  listOperatorAudit: {
    response: {
      ...record,
      actor: { kind: "operator", id: null, name: null },
      via: "api",
      operation: "team.update",
      target: TEAM.id,
      changed: ["name"],
    },
  },
  listTemplateVersions: { response: version },
  getTemplateVersion: { response: { ...version, ...content } },
  restoreTemplateVersion: {
    response: { subject: version.subject, ...content, variables: ["name"], updated_at: AT },
  },
};
