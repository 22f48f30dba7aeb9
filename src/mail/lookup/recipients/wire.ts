// The JSON of recipients (contract.md §Recipients).
import * as z from "zod";
import { RECIPIENT_STATES } from "../../../rpc/recipient-states.ts";
import { Explanation } from "../../../explain/explanation.ts";
import { RECIPIENT_PREFIX_CHARACTERS, RECIPIENTS_FOUND } from "../../../limits.ts";
import { PROVIDERS } from "../../../resources/providers/provider-of.ts";
import { Suppression } from "../../../resources/suppressions/wire.ts";

const count = z.int();

const Counts = z
  .object({
    since: z.iso.datetime(),
    is_complete: z.boolean().describe("False: there are more events than were counted."),
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
    "The answer in short: of the suppression for every topic, else of the newest message.",
  ),
  suppressions: z.array(Suppression),
  messages: z.array(RecipientMessage).describe("The last ones, newest first."),
  counts: Counts,
});

export type RecipientAnswer = z.output<typeof Recipient>;
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
      `How they begin: at least ${RECIPIENT_PREFIX_CHARACTERS} characters. By default they are all.`,
    ),
});

export const RecipientList = z
  .object({
    data: z
      .array(z.object({ address: z.string(), is_suppressed: z.boolean() }))
      .describe(`At most ${RECIPIENTS_FOUND}, in alphabetical order.`),
    has_more: z.boolean(),
  })
  .meta({ id: "RecipientList" });

export type RecipientList = z.output<typeof RecipientList>;
