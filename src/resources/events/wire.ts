// The schemas of events (contract.md §Events).
import {
  BOUNCE_CLASSIFICATIONS,
  BOUNCE_TYPES,
  EVENT_TYPES,
  NO_CLASSIFICATION,
} from "../../rpc/event-types.ts";
import * as z from "zod";
import { noValue } from "../../given-text.ts";
import { EVENT_TAG_FILTERS, METADATA_NAME_CHARACTERS } from "../../limits.ts";
import { addressKey } from "../suppressions/normalise.ts";
import { asciiDomain } from "../../lib/idna.ts";
import { NO_PROVIDER, PROVIDERS } from "../providers/provider-of.ts";
import { refusalText } from "../providers/refusal-text.ts";
import { wordsOf } from "./subject-words.ts";
import { parseTime } from "../../lib/iso-time.ts";

export const TrackingBlock = z.object({
  url: z.string().optional(),
  user_agent: z.string().optional(),
  bot: z.object({ source: z.string(), kind: z.literal("proxy") }).optional(),
});

/** An event in the response of GET /events. All members are always present, in this order. */
export const PulledEvent = z.object({
  id: z.string(),
  type: z.enum(EVENT_TYPES),
  occurred_at: z.iso.datetime(),
  email_id: z.string(),
  message_id: z.string(),
  from: z.string(),
  from_domain: z.string(),
  recipient: z.string(),
  subject: z.string(),
  campaign: z.string().nullable(),
  template_id: z.string().nullable(),
  topic: z.string().nullable(),
  tags: z.array(z.string()),
  ip_pool: z.string().nullable(),
  smtp_code: z.int().nullable(),
  bounce_type: z.enum(BOUNCE_TYPES).nullable(),
  bounce_classification: z.string().nullable(),
  attempt: z.int().nullable(),
  tracking: TrackingBlock.nullable(),
});

export type PulledEvent = z.output<typeof PulledEvent>;

const filter = (description: string) => z.string().optional().describe(description);

/** A time in a request, converted to Unix milliseconds. */
export const Moment = z
  .string()
  .meta({ description: "An ISO 8601 date, or date and time. UTC unless it has an offset." })
  .transform(
    (text, context) => parseTime(text) ?? noValue(context, text, "must be an ISO 8601 date-time"),
  );

/** A parameter with several names, which are separated by commas or are repeated parameters. */
const names = z.union([z.string(), z.array(z.string())]);

function namesIn(given: z.output<typeof names>): string[] {
  const all = [given].flat().flatMap((list) => list.split(",").map((name) => name.trim()));
  const named = all.filter((name) => name !== "");
  // A list of blanks becomes an empty name, which no event has. So the filter finds no event.
  return [...new Set(named.length > 0 ? named : [""])];
}

const tags = names
  .transform((given, context) => {
    const distinct = namesIn(given);
    if (distinct.length > EVENT_TAG_FILTERS) {
      context.issues.push({
        code: "custom",
        message: `must be at most ${EVENT_TAG_FILTERS} tags`,
        input: given,
      });
    }
    return distinct;
  })
  .optional()
  .describe("A tag of the send, or several separated by commas. The event must have one of them.");

const METADATA_PAIR = new RegExp(`^[A-Za-z0-9_-]{1,${METADATA_NAME_CHARACTERS}}=`);

const CLASSES = [...BOUNCE_CLASSIFICATIONS, NO_CLASSIFICATION];

const classes = names
  .transform((given, context) => {
    const distinct = namesIn(given);
    if (!distinct.every((name) => CLASSES.some((known) => known === name)))
      context.issues.push({ code: "invalid_value", values: CLASSES, input: given });
    return distinct;
  })
  .meta({
    description:
      "The classification of a bounce, or several separated by commas. `none`: no " +
      "classification.",
  })
  .optional();

/**
 * The query of GET /events. Converts times to Unix milliseconds, and normalizes the recipient as
 * suppressions do. Only `tags` and `bounce_classification` may be repeated.
 */
export const EventQuery = z.object({
  start: Moment.optional(),
  end: Moment.optional(),
  event_type: z
    .enum(EVENT_TYPES)
    .optional()
    .describe("One type of event, such as `email.bounced`."),
  recipient: z
    .string()
    .transform(addressKey)
    .optional()
    .describe("The whole address of a recipient."),
  recipient_domain: z
    .string()
    .transform((name) => asciiDomain(name.trim()) ?? name.trim().toLowerCase())
    .optional()
    .describe("The domain of the recipient's address."),
  provider: z
    .enum([...PROVIDERS, NO_PROVIDER])
    .meta({
      description:
        "The mailbox provider, or the filter in front of the mailbox, whose mail server " +
        "answered. If no server answered, the provider of the recipient's domain. `other`: a " +
        "mail server that no rule names. `none`: the provider is unknown.",
    })
    .optional(),
  refusal: z
    .string()
    .transform(refusalText)
    .meta({
      description:
        "A server's reply. Finds bounces and delays with the same reply, apart from the parts " +
        "that differ between messages. `GET /v1/deliverability` lists replies in this form.",
    })
    .optional(),
  bounce_classification: classes,
  email_id: filter("The id in the answer to the send."),
  message_id: filter("The `Message-ID` of the mail."),
  domain: filter("The sending domain of the mail."),
  topic: filter("The `topic` of the send."),
  campaign: filter("The `campaign` of the send."),
  template_id: filter("The id or alias of a template."),
  ip_pool: filter("The `ip_pool` of the send."),
  tags,
  metadata: z
    .string()
    .meta({ description: "A pair of the send's `metadata`, as `name=value`." })
    .regex(METADATA_PAIR, "must be a name, `=` and a value, such as order_id=52019")
    .transform((text) => {
      const at = text.indexOf("=");
      return { name: text.slice(0, at), value: text.slice(at + 1) };
    })
    .optional(),
  subject: z
    .string()
    .meta({
      description:
        "Words that the subject must contain, all of them: letters and digits, in any case.",
    })
    .refine((text) => wordsOf(text).length > 0, "must have a letter or a digit")
    .optional(),
});

export type EventQuery = z.output<typeof EventQuery>;
