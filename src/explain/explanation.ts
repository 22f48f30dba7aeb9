// Declares an explanation (contract.md §Explanations): the outcome of mail to a recipient, its
// reason, the service's next step, and the actions that a person can take.
import * as z from "zod";
import { PROVIDER_REFUSALS } from "../classify/provider-refusals.ts";
import { BOUNCE_CLASSIFICATIONS } from "../rpc/event-types.ts";
import { RECIPIENT_STATES, SUPPRESSION_REASONS } from "../rpc/recipient-states.ts";

/**
 * Why an attempt got no reply from a receiving server. Some of the causes are refusals by the
 * provider that carries the mail.
 */
export const NO_REPLY_CAUSES = [
  "no_mail_server",
  "null_mx",
  "no_dns_answer",
  "no_tls",
  "sending_domain_gone",
  "no_connection",
  "no_free_connection",
  "connection_lost",
  "held_domain",
  "held_account",
  ...PROVIDER_REFUSALS,
] as const;

/** Why mail waits, or the outcome of mail that no server refused. */
const OTHER_CAUSES = [
  "schedule",
  "cancellation",
  "delivery_rate",
  "queue",
  "attempt",
  "courier",
  "provider",
  "accepted",
  "unreported",
  "no_message",
] as const;

/**
 * The rule that decided the state: a bounce's class, a suppression's reason, or the reason why mail
 * waits.
 */
export const CAUSES = [
  ...BOUNCE_CLASSIFICATIONS,
  ...NO_REPLY_CAUSES,
  ...SUPPRESSION_REASONS,
  ...OTHER_CAUSES,
] as const;

export type NoReplyCause = (typeof NO_REPLY_CAUSES)[number];
export type Cause = (typeof CAUSES)[number];

/** The states of a recipient. `unknown`: the service has no message to the address. */
export const STATES = [...RECIPIENT_STATES, "unknown"] as const;

export const ACTION_KINDS = [
  "wait",
  "lift_suppression",
  "correct_address",
  "fix_dns",
  "verify_domain",
  "raise_limit",
  "change_message",
  "send_again",
  "change_schedule",
  "remove_from_list",
  "contact_recipient",
  "contact_provider",
  "contact_operator",
] as const;

const Evidence = z.object({
  reply: z.string().nullable().describe("The server's reply, with its codes."),
  stage: z.string().nullable().describe("The stage of the SMTP session at that reply."),
  mx_host: z.string().nullable(),
  at: z.iso.datetime(),
  email_id: z.string(),
});

export const Explanation = z
  .object({
    state: z.enum(STATES),
    summary: z.string().describe("The outcome and its reason, in one sentence."),
    cause: z.enum(CAUSES),
    evidence: Evidence.nullable().describe(
      "The evidence for the explanation. Null: no event led to the state.",
    ),
    next: z.string().describe("What the service does by itself, and when."),
    actions: z.array(
      z.object({
        kind: z.enum(ACTION_KINDS),
        text: z.string(),
        href: z
          .string()
          .optional()
          .describe(
            "The path in this API for the action. For `contact_provider`, the URL of the " +
              "provider's page for senders, or of its postmaster. Absent: neither exists.",
          ),
      }),
    ),
  })
  .meta({ id: "Explanation" });

/** The explanation of an event. It has no evidence, because the event itself is the evidence. */
export const EventExplanation = Explanation.omit({ evidence: true }).meta({
  id: "EventExplanation",
});

export type Explanation = z.output<typeof Explanation>;
export type EventExplanation = z.output<typeof EventExplanation>;
type ActionKind = (typeof ACTION_KINDS)[number];

/** Advice to a person. `href` is a path in the API, or a URL outside it. */
export interface Advice {
  readonly kind: ActionKind;
  readonly text: string;
  readonly href?: string;
}

/** The page on which a provider accepts requests from senders about refused mail. */
export interface Mitigation {
  /** The advice, which ends with the URL for readers of plain text. */
  readonly text: string;
  readonly href: string;
}

/** Why a server did not accept a message. */
export interface RefusalText {
  readonly reason: string;
  /** A whole sentence for a permanent refusal whose reason does not fit the usual pattern. */
  readonly sentence?: string;
  readonly actions: readonly Advice[];
}

/** The texts on mail that waits, or that no server refused. */
export interface StateText {
  readonly summary: string;
  readonly next: string;
  readonly actions: readonly Advice[];
}
