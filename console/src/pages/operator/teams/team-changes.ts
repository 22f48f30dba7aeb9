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

/** The settings of the form, in the order in which the page describes their changes. */
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

/** The values of the form. A missing field leaves its setting unchanged. */
export type TeamForm = Readonly<Record<string, string>>;

/** Returns only the changed settings, as PATCH takes them. */
export function changesOf(team: Team, form: TeamForm): UpdateTeamRequest {
  const before = byField(team);
  const wanted = Object.keys(NAMES).flatMap((field) => {
    const value = valueOf(field, form[field]);
    const isSame = JSON.stringify(value) === JSON.stringify(before[field]);
    return value === undefined || isSame ? [] : [[field, value]];
  });
  return asRequest(wanted as [string, unknown][]);
}

/** Returns the value that a field stands for. Undefined: the setting stays unchanged. */
function valueOf(field: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  switch (field) {
    case "name":
      return text.trim();
    case "subscription":
      return text;
    case "courier":
      return text === "" ? null : text;
    case "ip_pools":
      return text.split(/[\s,]+/).filter((pool) => pool !== "");
    default:
      return text === "" ? undefined : Number(text);
  }
}

/** Returns the changes that undo the given changes. */
export function undoOf(team: Team, changes: UpdateTeamRequest): UpdateTeamRequest {
  const before = byField(team);
  return asRequest(Object.keys(byField(changes)).map((field) => [field, before[field]]));
}

/** Describes each change: `Recipients per day: 10,000 → 20,000`. */
export function describeChanges(team: Team, changes: UpdateTeamRequest): string[] {
  const before = byField(team);
  return Object.entries(byField(changes)).map(
    ([field, value]) =>
      `${NAMES[field] ?? field}: ${valueText(field, before[field])} → ${valueText(field, value)}`,
  );
}

/** Returns the settings by their paths, such as `limits.daily`. */
function byField(settings: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([member, value]: [string, unknown]) =>
      member === "limits" || member === "label_caps"
        ? Object.entries(value as object).map(([one, number]) => [`${member}.${one}`, number])
        : [[member, value]],
    ),
  );
}

function asRequest(fields: readonly (readonly [field: string, value: unknown])[]) {
  const request: Record<string, unknown> = {};
  for (const [field, value] of fields) {
    const [group = "", member] = field.split(".");
    const own = request[group] as object | undefined;
    request[group] = member === undefined ? value : { ...own, [member]: value };
  }
  return request as UpdateTeamRequest;
}

export function numberAt(team: Team, field: NumberField): number {
  return byField(team)[field] as number;
}

function valueText(member: string, value: unknown): string {
  if (value === null) return "default of the deployment";
  if (typeof value === "number") return formatCount(value);
  if (Array.isArray(value)) return value.join(", ") || "none";
  return member === "courier" ? DELIVERY_METHODS[value as DeliveryMethod].name : (value as string);
}
