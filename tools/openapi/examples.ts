// The examples in the OpenAPI document, by operation, that differ from those of derive-example.ts.
// The contract tests check each example against its schema. They also send the examples of requests
// where possible.
import { BOUNCED } from "./explained-examples.ts";
import { AT, UUID } from "./example-values.ts";

/**
 * The members that replace derived members in the body of a request and of a successful response.
 * If the response is a list, `response` is about one of its items.
 */
export interface Example {
  readonly request?: unknown;
  readonly response?: unknown;
}

const UNPUBLISHED = {
  alias: null,
  subject: null,
  html: null,
  text: null,
  from: null,
  reply_to: null,
  fallbacks: null,
  variables: [],
  has_draft: true,
  published_at: null,
};
const WITH_VARIABLES = { response: { variables: ["name", "number"] } };
const TRACKED = { opens_enabled: true, subdomain: "links", status: "pending" };

export const EXAMPLES: Readonly<Record<string, Example>> = {
  createTeam: {
    response: {
      api_key: { name: "First key", permissions: "full", allowed_domains: null, allowed_ips: null },
    },
  },
  createTemplate: { response: UNPUBLISHED },
  createDomain: { response: { status: "pending", verified_at: null } },
  duplicateTemplate: { response: { ...UNPUBLISHED, name: "Receipt (copy)" } },
  exportSuppressions: {
    response:
      "email,topic,reason,origin,classification,smtp_code,note,suppressed_at,expires_at,created_at\r\n" +
      `someone@example.net,newsletter,manual,manual,,,Asked by phone,${AT},,${AT}\r\n`,
  },
  getEmailContentAttachment: { response: "%PDF-1.7 …" },
  getMetric: {
    response:
      "# HELP postern_accepted_total Recipients accepted for delivery.\n# TYPE " +
      "postern_accepted_total counter\npostern_accepted_total 48121\n",
  },
  getRawReply: {
    response: "From: Ada Lovelace <ada@example.net>\r\nSubject: Re: Your receipt 4711\r\n…",
  },
  getRecipient: { response: { explanation: BOUNCED.explanation, suppressions: [BOUNCED] } },
  getReplyAttachment: { response: "%PDF-1.7 …" },
  getTemplate: WITH_VARIABLES,
  importSuppressions: {
    request:
      "email,topic,note\nsomeone@example.net,newsletter,Asked by phone\nother@example.net,,\n",
  },
  inviteTeamOwner: { response: { role: "owner", may_lift_suppressions: false } },
  listOperatorAudit: {
    response: {
      actor: { kind: "operator", id: null, name: null },
      via: "api",
      operation: "team.update",
      target: `team_${UUID}`,
      changed: ["name"],
    },
  },
  publishTemplate: WITH_VARIABLES,
  restoreTemplateVersion: {
    response: {
      subject: "Your receipt",
      html: "<p>Dear {{name}}</p>",
      text: "Dear {{name}}",
      from: null,
      reply_to: null,
      fallbacks: null,
      variables: ["name"],
    },
  },
  rotateWebhookSecret: {
    response: {
      signing_secret_previous_prefix: "whsec_Zm9vYm",
      signing_secret_grace_expires_at: "2026-11-22T09:30:00.000Z",
    },
  },
  switchTeam: {
    response: {
      api_key: null,
      person: {
        id: "member_3f1c7b64-93d5-4c39-8d0a-2d1a5f0b7e11",
        role: "viewer",
        may_lift_suppressions: true,
      },
      teams: [{ id: `team_${UUID}`, name: "Example Ltd", role: "viewer" }],
      operations: ["GET /v1/email/{id}", "DELETE /v1/suppressions/{email}"],
      expires_at: AT,
    },
  },
  updateApiKey: { request: { allowed_ips: null }, response: { allowed_ips: null } },
  updateDomain: {
    response: {
      tracking: {
        ...TRACKED,
        dns_records: [
          {
            type: "CNAME",
            name: "links",
            value: "k3v9x2.track.postern.example",
            purpose: "tracking",
          },
        ],
      },
    },
  },
  updateMember: { response: { role: "developer" } },
  updateReply: { response: { seen: true } },
  updateTeam: { response: { limits: { daily: 50_000 } } },
  updateTemplate: WITH_VARIABLES,
  updateWebhook: { response: { status: "disabled" } },
};
