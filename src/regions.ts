// Names the regions in which the platform places Durable Objects, and finds the region nearest to a
// caller (docs/near-its-users.md). An object never moves, so a team's first send decides where its
// ledger is. Pure.

/** Cloudflare's location hints. */
export const REGIONS = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"] as const;
export type Region = (typeof REGIONS)[number];

/** The regions that a deployment of the jurisdiction `eu` may choose. */
const EU_REGIONS = ["weur", "eeur"] as const satisfies readonly Region[];

/** The location of a request's caller, as the platform gives it in `request.cf`. */
export interface CallerLocation {
  /** The data center that received the request, such as `FRA`. */
  readonly colo?: string | undefined;
  /** A code of two letters, such as `EU`. Absent for a caller from Tor. */
  readonly continent?: string | undefined;
  readonly country?: string | undefined;
  /** The longitude in degrees, as a text. */
  readonly longitude?: string | undefined;
}

/**
 * The call that created a team's ledger. All members are null for a team of an older version that
 * did not record this call. Such a team may have had mail.
 */
export interface FirstMail {
  /** When the call arrived, in Unix milliseconds. */
  readonly at: number | null;
  readonly colo: string | null;
  readonly continent: string | null;
  readonly country: string | null;
  /** The region that the service asked the platform for. Null: the platform chose the region. */
  readonly region: Region | null;
  readonly jurisdiction: "eu" | null;
}

export const UNNOTED_FIRST_MAIL: FirstMail = {
  at: null,
  colo: null,
  continent: null,
  country: null,
  region: null,
  jurisdiction: null,
};

const OF_CONTINENT: Readonly<Record<string, Region>> = {
  AF: "afr",
  AS: "apac",
  EU: "weur",
  NA: "enam",
  OC: "oc",
  SA: "sam",
};

/** The meridian that divides North America, in degrees. */
const MIDDLE_OF_NORTH_AMERICA = -100;

/** Returns the region nearest to the caller. Undefined: the platform named no known continent. */
function nearestRegion({ continent, longitude }: CallerLocation): Region | undefined {
  if (continent === "NA" && Number(longitude) < MIDDLE_OF_NORTH_AMERICA) return "wnam";
  return OF_CONTINENT[continent ?? ""];
}

/** Returns the regions that a deployment may choose. */
export function regionsWithin(jurisdiction: "eu" | null): readonly Region[] {
  return jurisdiction === "eu" ? EU_REGIONS : REGIONS;
}

/**
 * Describes a team's first mail. `chosen`: the team's setting, which takes precedence over the
 * caller's continent. A region outside the jurisdiction is ignored.
 */
export function makeFirstMail(
  chosen: Region | null,
  from: CallerLocation,
  jurisdiction: "eu" | null,
  at: number,
): FirstMail {
  const wanted = chosen ?? nearestRegion(from);
  const region = regionsWithin(jurisdiction).find((one) => one === wanted) ?? null;
  const { colo = null, continent = null, country = null } = from;
  return { at, colo, continent, country, region, jurisdiction };
}
