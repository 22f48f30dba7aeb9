// The JSON of recipients (contract.md §Recipients).
import * as z from "zod";
import { RECIPIENT_STATES } from "../../../rpc/recipient-states.ts";
import { Explanation } from "../../../explain/explanation.ts";
import { RECIPIENT_PREFIX_CHARACTERS, RECIPIENTS_PER_SEARCH } from "../../../limits.ts";
import { PROVIDERS } from "../../../resources/providers/provider-of.ts";
import { Suppression } from "../../../resources/suppressions/wire.ts";

const count = z.int();

const Counts = z
  .object({
    since: z.iso.datetime(),
    is_complete: z.boolean().describe("False: the address has more events than were counted."),
    messages: count.describe("Messages that have any of these events."),
    sent: count,
    delivered: count,
    delayed: count,
    bounced: count,
    complained: count,
    suppressed: count,
    unsubscribed: count,
    opened: count,
    clicked: count,
  })
  .meta({ id: "RecipientCounts" });

const RecipientMessage = z
  .object({
    email_id: z.string(),
    created_at: z.iso.datetime(),
    from: z.string(),
    subject: z.string(),
    topic: z.string().nullable(),
    status: z.enum(RECIPIENT_STATES),
    next_attempt_at: z.iso.datetime().nullable(),
    last_event_at: z.iso.datetime().nullable(),
    explanation: Explanation,
  })
  .meta({ id: "RecipientMessage" });

export const Recipient = z.object({
  address: z.string(),
  provider: z.enum(PROVIDERS).nullable().describe("Who runs the mailbox; null: not known."),
  explanation: Explanation.describe(
    "Explains the suppression for all topics or, if there is none, the newest message.",
  ),
  suppressions: z.array(Suppression),
  messages: z.array(RecipientMessage).describe("The last messages, newest first."),
  counts: Counts,
});

export type RecipientBody = z.output<typeof Recipient>;
export type RecipientMessage = z.output<typeof RecipientMessage>;
export type RecipientCounts = z.output<typeof Counts>;

export const RecipientQuery = z.object({
  prefix: z
    .string()
    .transform((text) => text.trim().toLowerCase())
    .refine(
      (text) => text.length >= RECIPIENT_PREFIX_CHARACTERS,
      `must have at least ${RECIPIENT_PREFIX_CHARACTERS} characters`,
    )
    .optional()
    .describe(
      `The beginning of the addresses: at least ${RECIPIENT_PREFIX_CHARACTERS} characters. By default, all addresses are listed.`,
    ),
});

export const RecipientList = z
  .object({
    data: z
      .array(z.object({ address: z.string(), is_suppressed: z.boolean() }))
      .describe(`At most ${RECIPIENTS_PER_SEARCH} addresses, in alphabetical order.`),
    has_more: z.boolean(),
  })
  .meta({ id: "RecipientList" });

export type RecipientList = z.output<typeof RecipientList>;
