// The schemas of deliverability (contract.md §Deliverability).
import * as z from "zod";
import { Moment } from "../events/wire.ts";
import { PROVIDERS, SIMULATOR } from "../providers/provider-of.ts";

export const DeliverabilityQuery = z.object({
  start: Moment.optional(),
  end: Moment.optional(),
});

export type DeliverabilityWindow = z.output<typeof DeliverabilityQuery>;

const Provider = z
  .enum(PROVIDERS)
  .exclude([SIMULATOR])
  .nullable()
  .describe("`other` for mail servers that no rule names, null for mail without a provider.");

const Seconds = z.int().nullable();

const Figures = z
  .object({
    sent: z.int(),
    delivered: z.int(),
    deferred: z.int().describe("Attempts that the provider deferred."),
    bounced: z.int(),
    bounces: z
      .record(z.string(), z.int())
      .describe("Bounces by classification. `none` counts those without one."),
    complaints: z.int(),
    time_to_acceptance: z
      .object({ median_seconds: Seconds, p95_seconds: Seconds })
      .describe(
        "Time from a message's start to a server's acceptance, rounded up to 1, 2, 5, 10 or " +
          "30 seconds, 1, 5 or 15 minutes, 1, 4, 12 or 72 hours. Null without deliveries.",
      ),
  })
  .meta({ id: "DeliverabilityFigures" });

export type Figures = z.output<typeof Figures>;

const Refusal = z
  .object({
    kind: z.enum(["bounced", "deferred"]),
    classification: z.string().nullable(),
    text: z
      .string()
      .describe(
        "The reply, with `…` in place of the parts that differ between messages. At most 200 " +
          "bytes.",
      ),
    count: z.int(),
    first_at: z.iso.datetime(),
  })
  .meta({ id: "DeliverabilityRefusal" });

export type FrequentRefusal = z.output<typeof Refusal>;

const FINDINGS = [
  "refuses_all",
  "refuses_many",
  "defers_all",
  "defers_many",
  "unknown_recipients",
  "complaints",
] as const;

const ACTIONS = ["contact_provider", "fix_dns", "change_content", "wait", "clean_list"] as const;

export const Finding = z
  .object({
    kind: z.enum(FINDINGS),
    severity: z.enum(["critical", "warning"]),
    provider: Provider,
    since: z.iso.datetime(),
    summary: z.string().describe("The finding in one sentence."),
    evidence: z.object({
      reply: z.string().nullable().describe("The text of the most frequent refusal."),
      count: z.int().describe("The number of recipients or attempts that the finding is about."),
      of: z.int().describe("The number of all recipients or attempts in the same time."),
      rate: z.number(),
      threshold: z.number().nullable().describe("The lowest rate that makes a finding."),
      source: z.string().nullable().describe("The page that publishes the threshold."),
      events: z.string().describe("The path of this API that lists the counted events."),
    }),
    action: z.object({
      kind: z.enum(ACTIONS),
      text: z.string(),
      href: z.string().optional(),
    }),
  })
  .meta({ id: "DeliverabilityFinding" });

export type MailFinding = z.output<typeof Finding>;

const Span = z.object({ start: z.iso.datetime(), end: z.iso.datetime() });

const ProviderEntry = z
  .object({
    provider: Provider,
    title: z.string().describe("The provider's name for people."),
    current: Figures,
    previous: Figures.nullable(),
    refusals: z.array(Refusal).describe("The most frequent refusals in the window, ten at most."),
  })
  .meta({ id: "ProviderDeliverability" });

export type ProviderEntry = z.output<typeof ProviderEntry>;

export const Deliverability = z
  .object({
    ...Span.shape,
    previous: Span.nullable().describe(
      "The preceding window. Null: it lies before the team's retention.",
    ),
    rules: z
      .object({ version: z.int(), oldest: z.int().nullable() })
      .describe(
        "The current version of the rules that name providers, and the oldest version that " +
          "was used for an hour of the window.",
      ),
    providers: z.array(ProviderEntry).describe("Providers with the most mail first."),
    findings: z.array(Finding).describe("The most severe findings first."),
  })
  .meta({ id: "Deliverability" });

export type Deliverability = z.output<typeof Deliverability>;
