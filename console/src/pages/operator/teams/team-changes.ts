// Filters teams by name or ID, and compares a submitted form with the team's settings. Pure.
import type { Team, UpdateTeamRequest } from "../../../api/operator/types.ts";
import { formatCount } from "../../../parts/figures.ts";
import { DELIVERY_METHODS, type DeliveryMethod } from "../delivery-methods.ts";

interface NumberSetting {
  /** The setting's path in the API's team object. */
  readonly field: string;
  readonly name: string;
  readonly means: string;
  readonly least: 0 | 1;
}

export const LIMIT_SETTINGS = [
  {
    field: "limits.daily",
    name: "Recipients per day",
    means: "Sends over this limit fail with 429 until midnight UTC.",
    least: 0,
  },
  {
    field: "limits.monthly",
    name: "Recipients per month",
    means:
      "Recipients over this limit use up overage credits. Without credits, sends fail with 429 until the end of the month.",
    least: 0,
  },
  {
    field: "limits.delivery_rate_per_minute",
    name: "Deliveries per minute",
    means: "Mail over this rate waits. It is not refused.",
    least: 1,
  },
  {
    field: "limits.requests_per_second",
    name: "Requests per second",
    means: "Requests over this rate fail with 429. Short bursts may have twice this rate.",
    least: 1,
  },
  {
    field: "overage_credits",
    name: "Overage credits",
    means: "Prepaid recipients beyond the monthly limit. Enter how many are left.",
    least: 0,
  },
] as const satisfies readonly NumberSetting[];

export const CAP_SETTINGS = [
  {
    field: "label_caps.tags_per_hour",
    name: "Tags per hour",
    means: "Different tags in any 60 minutes.",
    least: 0,
  },
  {
    field: "label_caps.topic_per_hour",
    name: "Topics per hour",
    means: "Different topics in any 60 minutes.",
    least: 0,
  },
  {
    field: "label_caps.campaign_per_hour",
    name: "Campaigns per hour",
    means: "Different campaigns in any 60 minutes.",
    least: 0,
  },
  {
    field: "label_caps.campaign_per_72_hours",
    name: "Campaigns per 72 hours",
    means: "Different campaigns in any 72 hours.",
    least: 0,
  },
] as const satisfies readonly NumberSetting[];

export type NumberField =
  | (typeof LIMIT_SETTINGS)[number]["field"]
  | (typeof CAP_SETTINGS)[number]["field"];

export function numberAt(team: Team, field: NumberField): number {
  if (field === "overage_credits") return team.overage_credits;
  const [group, member] = field.split(".") as ["limits" | "label_caps", string];
  return (team[group] as Readonly<Record<string, number>>)[member] ?? 0;
}

/** The values of the form. A missing field leaves its setting unchanged. */
export type TeamForm = Readonly<Record<string, string>>;

/** Returns only the changed settings, as PATCH takes them. */
export function changesOf(team: Team, form: TeamForm): UpdateTeamRequest {
  const changes: UpdateTeamRequest = {};
  for (const { field } of [...LIMIT_SETTINGS, ...CAP_SETTINGS]) {
    const text = form[field];
    if (text === undefined || text === "" || Number(text) === numberAt(team, field)) continue;
    setNumber(changes, field, Number(text));
  }
  const { name, subscription, event_retention_days: days, courier, ip_pools: pools } = form;
  if (name !== undefined && name.trim() !== team.name) changes.name = name.trim();
  if (subscription !== undefined && subscription !== team.subscription)
    changes.subscription = subscription as Team["subscription"];
  if (days !== undefined && Number(days) !== team.event_retention_days)
    changes.event_retention_days = Number(days) as 3 | 7 | 30;
  const chosen = courier === "" ? null : (courier as Team["courier"] | undefined);
  if (chosen !== undefined && chosen !== team.courier) changes.courier = chosen;
  const wanted = pools?.split(/[\s,]+/).filter((pool) => pool !== "");
  if (wanted && wanted.join() !== team.ip_pools.join()) changes.ip_pools = wanted;
  return changes;
}

function setNumber(changes: UpdateTeamRequest, field: NumberField, value: number): void {
  if (field === "overage_credits") changes.overage_credits = value;
  else {
    const [group, member] = field.split(".") as ["limits" | "label_caps", string];
    changes[group] = { ...changes[group], [member]: value };
  }
}

/** Returns the changes that undo the given changes. */
export function undoOf(team: Team, changes: UpdateTeamRequest): UpdateTeamRequest {
  const before = Object.keys(changes).map((member) => {
    const was = team[member as keyof UpdateTeamRequest];
    const change = changes[member as keyof UpdateTeamRequest];
    const isGroup = member === "limits" || member === "label_caps";
    return [
      member,
      isGroup
        ? Object.fromEntries(
            Object.keys(change as object).map((one) => [
              one,
              (was as unknown as Readonly<Record<string, number>>)[one],
            ]),
          )
        : was,
    ] as const;
  });
  return Object.fromEntries(before) as UpdateTeamRequest;
}

const NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...LIMIT_SETTINGS, ...CAP_SETTINGS].map(({ field, name }) => [field, name]),
  ),
  name: "Name",
  subscription: "Subscription",
  event_retention_days: "Event retention in days",
  courier: "Delivery method",
  ip_pools: "IP pools",
};

/** Describes each change: `Recipients per day: 10,000 → 20,000`. */
export function describeChanges(team: Team, changes: UpdateTeamRequest): string[] {
  const flat = (value: object): (readonly [string, unknown])[] =>
    Object.entries(value).flatMap(([member, one]: readonly [string, unknown]) =>
      member === "limits" || member === "label_caps"
        ? Object.entries(one as object).map(
            ([name, number]) => [`${member}.${name}`, number] as const,
          )
        : [[member, one] as const],
    );
  const before = new Map(flat(undoOf(team, changes)));
  return flat(changes).map(
    ([member, value]) =>
      `${NAMES[member] ?? member}: ${valueText(member, before.get(member))} → ${valueText(member, value)}`,
  );
}

function valueText(member: string, value: unknown): string {
  if (value === null) return "default of the deployment";
  if (typeof value === "number") return formatCount(value);
  if (Array.isArray(value)) return value.join(", ") || "none";
  return member === "courier" ? DELIVERY_METHODS[value as DeliveryMethod].name : (value as string);
}
