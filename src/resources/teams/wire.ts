// Declares the JSON of the operator API (contract.md §Operator API).
import { COURIERS, type Settings } from "../../settings.ts";
import { dayOf } from "../../db/days.ts";
import * as z from "zod";
import { REGIONS } from "../../regions.ts";
import { ShardSpan, toShardSpans } from "../shards/wire.ts";
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
  NAME_CHARACTERS,
} from "../../limits.ts";
import { ApiKeyWithSecret } from "../api-keys/wire.ts";
import { courierFor, Sending, toSending } from "../team-settings/courier-choice.ts";
import type { NewTeamRow, TeamRow } from "../team-settings/store.ts";

const POOLS_PER_TEAM = 100;
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

/** The region in which a team's ledger is made (docs/near-its-users.md). */
const Region = z.enum(REGIONS, { error: `must be one of ${REGIONS.join(", ")} or null` });

/** The call that made the team's ledger. Unknown members are null. */
const FirstMail = z.object({
  at: z.iso.datetime().nullable(),
  /** The data center that received the call. */
  colo: z.string().nullable(),
  /** The caller's continent and country, as codes of two letters. */
  continent: z.string().nullable(),
  country: z.string().nullable(),
  /** The region that the service requested from the platform. */
  region: z.string().nullable(),
  jurisdiction: z.enum(["eu"]).nullable(),
});

export const UpdateTeam = z.object({
  name: z
    .string()
    .trim()
    // The limits are refinements, so that the OpenAPI document does not contain them. A client
    // would apply limits of the document to the name before the schema trims it.
    .refine((text) => text !== "", { error: "must not be empty", abort: true })
    .refine(
      (text) => text.length <= NAME_CHARACTERS,
      `must be at most ${NAME_CHARACTERS} characters`,
    )
    .refine(
      (text) => text.isWellFormed() && !/\p{Cc}/u.test(text),
      "must not contain control characters or lone surrogates",
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
  ip_pools: z.array(IpPool).max(POOLS_PER_TEAM).optional(),
  courier: z.enum(COURIERS).nullable().optional(),
  region: Region.nullable().optional(),
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
  /** The courier of the team's mail. Null: the team uses the deployment's courier. */
  courier: z.enum(COURIERS).nullable(),
  /** The region that the operator chose. Null: the ledger is made near the team's first sender. */
  region: Region.nullable(),
  /** Null: the team never had mail, so it has no ledger. */
  first_mail: FirstMail.nullable(),
  /** The courier that carries the mail now, and how it treats the parts of the mail. */
  sending: Sending,
  /** The team's number. Tokens in the team's mail contain it. */
  number: z.int(),
  /**
   * The shards of the team's events. Each entry applies from a UTC day on. The first shard also has
   * the suppressions.
   */
  shards: z.array(ShardSpan),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export const CreatedTeam = TeamResource.extend({ api_key: ApiKeyWithSecret });

/**
 * Makes the row of a new team, whose events are on this shard from today on. Missing settings get
 * their defaults (contract.md §Operator API).
 */
export function toNewTeamRow(
  id: string,
  shard: number,
  input: z.output<typeof CreateTeam>,
  now: number,
): NewTeamRow {
  const defaults: NewTeamRow = {
    id,
    name: input.name,
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
    contentDays: null,
    readsReplies: false,
    topicNames: null,
    ipPools: [],
    courier: null,
    region: null,
    firstMail: null,
    startingCredits: input.overage_credits ?? 0,
    checkRulesOff: null,
    mailClients: null,
    createdAt: now,
    updatedAt: now,
  };
  return { ...defaults, ...toChangedColumns(input) };
}

const SEARCH_CHARACTERS = 253;

export const TeamListQuery = z.object({
  q: z
    .string()
    .max(SEARCH_CHARACTERS, `must be at most ${SEARCH_CHARACTERS} characters`)
    .optional()
    .describe(
      "A part of the team's name or of one of its domains, in any case, or the team's whole id.",
    ),
});

/** Returns the columns that a request changes. Missing members change nothing. */
export function toChangedColumns(input: z.output<typeof UpdateTeam>): Partial<NewTeamRow> {
  const columns: { [Column in keyof NewTeamRow]?: NewTeamRow[Column] | undefined } = {
    name: input.name,
    dailyLimit: input.limits?.daily,
    monthlyLimit: input.limits?.monthly,
    deliveryRatePerMinute: input.limits?.delivery_rate_per_minute,
    requestsPerSecond: input.limits?.requests_per_second,
    tagsPerHour: input.label_caps?.tags_per_hour,
    topicPerHour: input.label_caps?.topic_per_hour,
    campaignPerHour: input.label_caps?.campaign_per_hour,
    campaignPer72Hours: input.label_caps?.campaign_per_72_hours,
    eventRetentionDays: input.event_retention_days,
    subscription: input.subscription,
    ipPools: input.ip_pools && [...new Set(input.ip_pools)],
    courier: input.courier,
    region: input.region,
  };
  return Object.fromEntries(
    Object.entries(columns).filter(([, value]) => value !== undefined),
  ) as Partial<NewTeamRow>;
}

function toFirstMail({ at, ...place }: NonNullable<TeamRow["firstMail"]>) {
  return { at: at === null ? null : new Date(at).toISOString(), ...place };
}

/** Converts a row to JSON. `overageCredits` comes from the team's ledger, which counts them. */
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
    region: row.region,
    first_mail: row.firstMail && toFirstMail(row.firstMail),
    sending: toSending(courierFor(row.courier, settings)),
    number: row.number,
    shards: toShardSpans(row.shards),
    created_at: new Date(row.createdAt).toISOString(),
    updated_at: new Date(row.updatedAt).toISOString(),
  };
}
