// The schemas of statistics (contract.md §Statistics).
import * as z from "zod";
import { Moment } from "../events/wire.ts";
import { PROVIDERS } from "../providers/provider-of.ts";
import { COUNTED, type CountedType } from "./type-counts.ts";

const INTERVALS = ["hour", "day"] as const;

export type Interval = (typeof INTERVALS)[number];

const GROUPS = ["none", "type", "recipient_domain", "sending_domain", "provider"] as const;

const SIMULATOR_MAIL = ["include", "exclude"] as const;

/** The query of GET /v1/stats, with times in Unix milliseconds. */
export const StatsQuery = z.object({
  start: Moment.optional(),
  end: Moment.optional(),
  interval: z
    .enum(INTERVALS)
    .optional()
    .describe("By default `hour`, or `day` for a window of more than 7 days."),
  group_by: z
    .enum(GROUPS)
    .optional()
    .describe(
      "By default `none`. `type` adds `total`; `recipient_domain` and `sending_domain` make an " +
        "entry for each domain, and `provider` one for each provider.",
    ),
  simulator: z
    .enum(SIMULATOR_MAIL)
    .optional()
    .describe("Whether mail to the simulator's addresses counts. By default `include`."),
});

export type StatsQuery = z.output<typeof StatsQuery>;

const StatsEntry = z.object({
  start: z.iso.datetime(),
  recipient_domain: z
    .string()
    .optional()
    .describe(
      "Only with `group_by=recipient_domain`. `other`: all domains without an entry of their own.",
    ),
  sending_domain: z
    .string()
    .optional()
    .describe(
      "Only with `group_by=sending_domain`. `other`: all domains without an entry of their own, " +
        "and mail that was counted before domains were.",
    ),
  provider: z
    .enum(PROVIDERS)
    .nullable()
    .optional()
    .describe(
      "Only with `group_by=provider`. `other`: a mail server that no rule names. Null: " +
        "neither a mail server nor the recipient's domain shows the provider.",
    ),
  counts: z
    .object(
      Object.fromEntries(COUNTED.map((name) => [name, z.int()])) as Record<CountedType, z.ZodInt>,
    )
    .meta({ id: "EventCounts" }),
  bounced: z
    .record(z.string(), z.int())
    .describe("Bounces by classification. `none` counts those without one."),
});

export type StatsEntry = z.output<typeof StatsEntry>;

export const Stats = z
  .object({
    interval: z.enum(INTERVALS),
    start: z.iso.datetime(),
    end: z.iso.datetime(),
    data: z.array(StatsEntry),
    total: StatsEntry.omit({ recipient_domain: true, sending_domain: true, provider: true })
      .optional()
      .describe("Only with `group_by=type`: the counts of the whole window."),
  })
  .meta({ id: "Stats" });

export type Stats = z.output<typeof Stats>;
