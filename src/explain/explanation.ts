// Declares an explanation (contract.md §Explanations): what became of mail to a recipient, why,
// what the service does next, and what a person can do.
import * as z from "zod";
import { PROVIDER_REFUSALS } from "../classify/provider-refusals.ts";
import { BOUNCE_CLASSIFICATIONS } from "../rpc/event-types.ts";
import { RECIPIENT_STATES, SUPPRESSION_REASONS } from "../rpc/recipient-states.ts";

/** Why an attempt got no reply from a receiving server. A provider may have refused the message. */
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

/** Why mail waits, or what became of mail that no server refused. */
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

/** The rule that decided: a bounce's class, a suppression's reason, or what mail waits for. */
export const CAUSES = [
  ...BOUNCE_CLASSIFICATIONS,
  ...NO_REPLY_CAUSES,
  ...SUPPRESSION_REASONS,
  ...OTHER_CAUSES,
] as const;

export type NoReplyCause = (typeof NO_REPLY_CAUSES)[number];
export type Cause = (typeof CAUSES)[number];

/** `unknown`: the service has no message to the address. */
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

/** Advice to a person. `href`: a path in the API, or a URL outside it. */
export interface Advice {
  readonly kind: ActionKind;
  readonly text: string;
  readonly href?: string;
}

/** The page on which a provider takes senders' requests about refused mail. */
export interface Mitigation {
  /** Ends with the URL, for readers of plain text. */
  readonly text: string;
  readonly href: string;
}

/** Why a server did not accept a message. */
export interface RefusalText {
  readonly reason: string;
  /** A whole sentence for a permanent refusal, used where the usual pattern does not fit. */
  readonly sentence?: string;
  readonly actions: readonly Advice[];
}

/** The texts on mail that waits, or that was not refused. */
export interface StateText {
  readonly summary: string;
  readonly next: string;
  readonly actions: readonly Advice[];
}
