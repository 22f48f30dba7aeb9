// The shapes of the operator API (contract.md §Operator API).
import * as z from "zod";
import {
  DEFAULT_CAMPAIGN_PER_72_HOURS,
  DEFAULT_CAMPAIGN_PER_HOUR,
  DEFAULT_DAILY_MESSAGES,
  DEFAULT_DELIVERY_RATE_PER_MINUTE,
  DEFAULT_MONTHLY_MESSAGES,
  DEFAULT_REQUESTS_PER_SECOND,
  DEFAULT_TAGS_PER_HOUR,
  DEFAULT_TOPIC_PER_HOUR,
  EVENT_RETENTION_DAYS,
  LONGEST_RETENTION_DAYS,
} from "../../limits.ts";
import { ApiKeyWithSecret } from "../api-keys/wire.ts";
import { courierInForce, Sending, sendingBy } from "../team-settings/courier-choice.ts";
import { ShardSpan, toShardSpans } from "../shards/wire.ts";
import { COURIERS, type Settings } from "../../settings.ts";
import { dayOf } from "../../db/days.ts";
import type { NewTeamRow, TeamRow } from "../team-settings/store.ts";

const NAME_CHARACTERS = 200;
const POOLS = 100;
const count = z.int().min(0).max(1_000_000_000);
const positive = z.int().min(1).max(1_000_000_000);

const Limits = z.object({
  daily: count,
  monthly: count,
  delivery_rate_per_minute: positive,
  requests_per_second: positive,
});
const LabelCaps = z.object({
  tags_per_hour: count,
  topic_per_hour: count,
  campaign_per_hour: count,
  campaign_per_72_hours: count,
});
const IpPool = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/, "must be 1 to 32 of a-z, 0-9 and inner hyphens");

export const UpdateTeam = z.object({
  name: z
    .string()
    .trim()
    // As refinements, since white space around the name counts in the API's description and not
    // here.
    .refine((text) => text !== "", { error: "must not be empty", abort: true })
    .refine(
      (text) => text.length <= NAME_CHARACTERS,
      `must be at most ${NAME_CHARACTERS} characters`,
    )
    .refine(
      (text) => text.isWellFormed() && !/\p{Cc}/u.test(text),
      "must not hold control characters or halves of characters",
    )
    .optional(),
  limits: Limits.partial().optional(),
  label_caps: LabelCaps.partial().optional(),
  event_retention_days: z
    .union(
      EVENT_RETENTION_DAYS.map((days) => z.literal(days)),
      { error: "must be 3, 7 or 30" },
    )
    .optional(),
  subscription: z.enum(["active", "inactive"]).optional(),
  overage_credits: count.optional(),
  ip_pools: z.array(IpPool).max(POOLS).optional(),
  courier: z.enum(COURIERS).nullable().optional(),
});

export const CreateTeam = UpdateTeam.required({ name: true });

export const TeamResource = z.object({
  id: z.string(),
  name: z.string(),
  limits: Limits,
  label_caps: LabelCaps,
  event_retention_days: z.int(),
  subscription: z.enum(["active", "inactive"]),
  overage_credits: z.int(),
  ip_pools: z.array(z.string()),
  /** The team's own choice; null: the deployment's. */
  courier: z.enum(COURIERS).nullable(),
  /** What is in force, and what it keeps. */
  sending: Sending,
  /** The team's number, by which its mail names it. */
  number: z.int(),
  /**
   * On which shards its events lie, from which UTC day on; its suppressions lie on the first one.
   */
  shards: z.array(ShardSpan),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export const CreatedTeam = TeamResource.extend({ api_key: ApiKeyWithSecret });

/**
 * A new team's row on that shard from today on: a setting that the operator left open gets its
 * default (contract.md §Operator API).
 */
export function newTeamRow(
  id: string,
  shard: number,
  wish: z.output<typeof CreateTeam>,
  now: number,
): NewTeamRow {
  const defaults: NewTeamRow = {
    id,
    name: wish.name,
    shards: [{ from: dayOf(now), shards: [shard] }],
    subscription: "active",
    dailyLimit: DEFAULT_DAILY_MESSAGES,
    monthlyLimit: DEFAULT_MONTHLY_MESSAGES,
    deliveryRatePerMinute: DEFAULT_DELIVERY_RATE_PER_MINUTE,
    requestsPerSecond: DEFAULT_REQUESTS_PER_SECOND,
    tagsPerHour: DEFAULT_TAGS_PER_HOUR,
    topicPerHour: DEFAULT_TOPIC_PER_HOUR,
    campaignPerHour: DEFAULT_CAMPAIGN_PER_HOUR,
    campaignPer72Hours: DEFAULT_CAMPAIGN_PER_72_HOURS,
    eventRetentionDays: LONGEST_RETENTION_DAYS,
    ipPools: [],
    courier: null,
    createdAt: now,
    updatedAt: now,
  };
  return { ...defaults, ...changedColumns(wish) };
}

/** The columns that a request changes, absent members left out. */
export function changedColumns(wish: z.output<typeof UpdateTeam>): Partial<NewTeamRow> {
  const columns: { [Column in keyof NewTeamRow]?: NewTeamRow[Column] | undefined } = {
    name: wish.name,
    dailyLimit: wish.limits?.daily,
    monthlyLimit: wish.limits?.monthly,
    deliveryRatePerMinute: wish.limits?.delivery_rate_per_minute,
    requestsPerSecond: wish.limits?.requests_per_second,
    tagsPerHour: wish.label_caps?.tags_per_hour,
    topicPerHour: wish.label_caps?.topic_per_hour,
    campaignPerHour: wish.label_caps?.campaign_per_hour,
    campaignPer72Hours: wish.label_caps?.campaign_per_72_hours,
    eventRetentionDays: wish.event_retention_days,
    subscription: wish.subscription,
    ipPools: wish.ip_pools && [...new Set(wish.ip_pools)],
    courier: wish.courier,
  };
  return Object.fromEntries(
    Object.entries(columns).filter(([, value]) => value !== undefined),
  ) as Partial<NewTeamRow>;
}

/** `overageCredits` comes from the team's ledger, which spends them. */
export function toTeam(
  row: TeamRow,
  overageCredits: number,
  settings: Settings,
): z.output<typeof TeamResource> {
  return {
    id: row.id,
    name: row.name,
    limits: {
      daily: row.dailyLimit,
      monthly: row.monthlyLimit,
      delivery_rate_per_minute: row.deliveryRatePerMinute,
      requests_per_second: row.requestsPerSecond,
    },
    label_caps: {
      tags_per_hour: row.tagsPerHour,
      topic_per_hour: row.topicPerHour,
      campaign_per_hour: row.campaignPerHour,
      campaign_per_72_hours: row.campaignPer72Hours,
    },
    event_retention_days: row.eventRetentionDays,
    subscription: row.subscription,
    overage_credits: overageCredits,
    ip_pools: row.ipPools,
    courier: row.courier,
    sending: sendingBy(courierInForce(row.courier, settings)),
    number: row.number,
    shards: toShardSpans(row.shards),
    created_at: new Date(row.createdAt).toISOString(),
    updated_at: new Date(row.updatedAt).toISOString(),
  };
}
