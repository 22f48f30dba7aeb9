// The schemas of the teams that need attention (contract.md §Operator API).
import * as z from "zod";
import { HOLD_CODES } from "../../rpc/holds.ts";
import { SEVERITIES } from "../../rpc/metrics-calls.ts";
import { Finding } from "../deliverability/wire.ts";

export const AttentionQuery = z.object({
  skip: z
    .string()
    .regex(/^\d{1,6}$/, "must be a whole number from 0 to 999999")
    .optional()
    .describe("How many of the listed teams to skip, beginning with the worst."),
});

const Held = z.object({
  waiting: z.int().describe("Recipients that wait for their release at the team's delivery rate."),
  queued: z.int(),
  attempting: z.int(),
  deferred: z.int(),
  awaiting: z.int(),
  stuck: z
    .int()
    .describe("Recipients released 15 minutes ago or more whose first attempt has no outcome."),
  oldest_accepted_at: z.iso.datetime(),
});

const SendingHold = z.object({
  domain: z.string().nullable().describe("Null: the whole account."),
  since: z.iso.datetime(),
  code: z.enum(HOLD_CODES),
  message: z.string().describe("The reason, the remedy and Cloudflare's words."),
});

export type SendingHold = z.output<typeof SendingHold>;

const TeamAttention = z
  .object({
    team: z.object({ id: z.string(), name: z.string() }),
    severity: z.enum(SEVERITIES),
    findings: z
      .array(Finding)
      .nullable()
      .describe("The current findings of the team's report. Null: the report could not be read."),
    held: Held.nullable().describe(
      "The recipients without a final outcome, by the states of `GET /v1/usage`. Null without " +
        "such recipients.",
    ),
    sending_holds: z
      .array(SendingHold)
      .describe(
        "The sending domains whose mail Cloudflare's Email Service does not take now, or the account.",
      ),
    is_full: z.boolean().describe("True: the team's ledger is full and refuses its sends."),
    reported_at: z.iso.datetime().describe("When the team's ledger last reported."),
  })
  .meta({ id: "TeamAttention" });

export type TeamAttention = z.output<typeof TeamAttention>;

export const Attention = z
  .object({
    checked_at: z.iso.datetime(),
    account_hold: SendingHold.nullable().describe(
      "The hold of the whole Cloudflare account. Null: the account may send, or it is not known.",
    ),
    teams: z
      .object({
        total: z
          .int()
          .describe("The number of all teams. Each team's ledger watches its own mail."),
        critical: z.int(),
        warning: z.int(),
        notice: z.int(),
        unread: z.int().describe("Teams whose ledger could not read their mail's counts."),
      })
      .describe("How many teams there are, and how many of them need attention."),
    worst: z.array(TeamAttention).describe("At most 20, the worst first."),
  })
  .meta({ id: "Attention" });

export type Attention = z.output<typeof Attention>;
