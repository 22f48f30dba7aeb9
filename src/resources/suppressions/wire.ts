// Declares the JSON of suppressions (contract.md §Suppressions).
import * as z from "zod";
import { SUPPRESSION_REASONS } from "../../rpc/recipient-states.ts";
import { explainSuppression } from "../../explain/explain.ts";
import { Explanation } from "../../explain/explanation.ts";
import { noValue } from "../../given-text.ts";
import { newId } from "../../lib/ids.ts";
import { COUNTED_SUPPRESSIONS } from "../../limits.ts";
import {
  EVERY_TOPIC,
  NOTE_CHARACTERS,
  checkNote,
  parseSuppressedAddress,
  parseTopic,
  TOPIC_PROBLEM,
  topicKey,
} from "./normalise.ts";
import { toTime } from "../../time-text.ts";
import { ORIGINS, SORTS, type SuppressionFilters, type SuppressionRow } from "./store.ts";
import { shownEvidence } from "./suppression-evidence.ts";

export const Suppression = z.object({
  id: z.string(),
  email: z.string(),
  topic: z.string(),
  reason: z.enum(SUPPRESSION_REASONS),
  origin: z.enum(ORIGINS),
  classification: z.string().nullable(),
  smtp_code: z.int().nullable(),
  note: z.string().nullable(),
  suppressed_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  explanation: Explanation,
});

export type Suppression = z.output<typeof Suppression>;

/** All suppressions of one address, so this list has only one page. */
export const SuppressionsOfAddress = z
  .object({ data: z.array(Suppression) })
  .meta({ id: "SuppressionsOfAddress" });

export const SuppressionImportBegun = z.object({ id: z.string(), status: z.literal("running") });

export const SuppressionImport = z.object({
  id: z.string(),
  status: z.enum(["running", "done", "failed"]),
  total: z.int(),
  imported: z.int(),
  skipped: z.int(),
  failed: z.int(),
  errors: z.array(
    z.object({
      row: z.int(),
      field: z.enum(["email", "topic", "note", "row"]),
      message: z.string(),
    }),
  ),
});

export type SuppressionImport = z.output<typeof SuppressionImport>;

const Email = z
  .string()
  .meta({
    description: "A bare address, in any script. White space around the address is removed.",
  })
  .transform((text, context) => {
    const parsed = parseSuppressedAddress(text);
    return parsed.kind === "address" ? parsed.email : noValue(context, text, parsed.problem);
  });

const Topic = z
  .string()
  .meta({ description: "`*`, or a topic. Stored in lower case." })
  .transform((text, context) => parseTopic(text) ?? noValue(context, text, TOPIC_PROBLEM));

const Note = z
  .string()
  .meta({ maxLength: NOTE_CHARACTERS })
  .superRefine((text, context) => {
    const problem = checkNote(text);
    if (problem !== null) context.addIssue(problem);
  });

export const CreateSuppression = z.object({
  email: Email,
  topic: Topic.default(EVERY_TOPIC),
  note: Note.nullable().default(null).describe("Why, for people."),
});

export const SuppressionQuery = z.object({
  email_contains: z
    .string()
    .transform((text) => text.toLowerCase())
    .optional()
    .describe("A part of the address, in any case."),
  topic: z
    .string()
    .transform(topicKey)
    .optional()
    .describe("A topic. `*`: suppressions of all topics."),
  reason: z.enum(SUPPRESSION_REASONS).optional().describe("Why the address is suppressed."),
  origin: z
    .enum(ORIGINS)
    .optional()
    .describe("`auto`: the service suppressed it. `manual`: the team did."),
});

export const SuppressionListQuery = SuppressionQuery.extend({
  sort: z
    .enum(SORTS)
    .optional()
    .describe("By default `newest`. `email`: by address, then by topic."),
  email_from: z
    .string()
    .transform((text) => text.trim().toLowerCase())
    .optional()
    .describe("Skips the addresses that sort before this text."),
}).superRefine(({ sort, email_from: from }, context) => {
  if (from === undefined || sort === "email") return;
  context.addIssue({ code: "custom", path: ["email_from"], message: "needs `sort=email`" });
});

export const SuppressionCount = z.object({
  total: z.int(),
  has_more: z
    .boolean()
    .describe(
      `True: only the newest ${COUNTED_SUPPRESSIONS} suppressions were counted, and there may ` +
        "be more.",
    ),
});

export const SuppressionExportQuery = SuppressionQuery.extend({
  format: z
    .enum(["plain"])
    .optional()
    .describe("`plain`: each cell holds exactly the stored text, as programs need it."),
});

export function toFilters(query: z.output<typeof SuppressionQuery>): SuppressionFilters {
  return {
    emailContains: query.email_contains,
    topic: query.topic,
    reason: query.reason,
    origin: query.origin,
  };
}

/** Makes a manual suppression that is in force from `now` and never expires. */
export function toManualRow(
  input: z.output<typeof CreateSuppression>,
  now: number,
): SuppressionRow {
  return {
    id: newId("sup"),
    email: input.email,
    topic: input.topic,
    reason: "manual",
    origin: "manual",
    classification: null,
    smtpCode: null,
    note: input.note,
    suppressedAt: now,
    expiresAt: null,
    createdAt: now,
  };
}

export function toSuppression(row: SuppressionRow): Suppression {
  return { ...toUnexplained(row), explanation: explainSuppression(row, shownEvidence(row)) };
}

export function toUnexplained(row: SuppressionRow): Omit<Suppression, "explanation"> {
  return {
    id: row.id,
    email: row.email,
    topic: row.topic,
    reason: row.reason,
    origin: row.origin,
    classification: row.classification,
    smtp_code: row.smtpCode,
    note: row.note,
    suppressed_at: toTime(row.suppressedAt),
    expires_at: toTime(row.expiresAt),
    created_at: toTime(row.createdAt),
  };
}
