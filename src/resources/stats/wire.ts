// The schemas of statistics (contract.md §Statistics).
import * as z from "zod";
import { Moment } from "../events/wire.ts";
import { COUNTED, type Counted } from "./hour-counts.ts";

const INTERVALS = ["hour", "day"] as const;

export type Interval = (typeof INTERVALS)[number];

const GROUPS = ["none", "type", "recipient_domain"] as const;

/** The query of GET /v1/stats, with times in Unix milliseconds. */
export const StatsQuery = z.object({
  start: Moment.optional(),
  end: Moment.optional(),
  interval: z
    .enum(INTERVALS)
    .optional()
    .describe("`hour` where it is left out, `day` for a window of more than 7 days."),
  group_by: z
    .enum(GROUPS)
    .optional()
    .describe(
      "`none` where it is left out. `type` adds `total`; `recipient_domain` gives each " +
        "domain an entry of its own.",
    ),
});

export type StatsQuery = z.output<typeof StatsQuery>;

const StatsEntry = z.object({
  start: z.iso.datetime(),
  recipient_domain: z
    .string()
    .optional()
    .describe(
      "With `group_by=recipient_domain` alone; `other` for all that have no entry of their own.",
    ),
  counts: z
    .object(Object.fromEntries(COUNTED.map((name) => [name, z.int()])) as Record<Counted, z.ZodInt>)
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
    total: StatsEntry.omit({ recipient_domain: true })
      .optional()
      .describe("With `group_by=type` alone: the whole window."),
  })
  .meta({ id: "Stats" });

export type Stats = z.output<typeof Stats>;
