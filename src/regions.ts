// Names the regions in which the platform places Durable Objects, and finds the region nearest to a
// caller (docs/near-its-users.md). An object never moves, so a team's first send decides. Pure.

/** Cloudflare's location hints. */
export const REGIONS = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"] as const;
export type Region = (typeof REGIONS)[number];

/** The regions that a deployment of the jurisdiction `eu` may choose. */
const EU_REGIONS = ["weur", "eeur"] as const satisfies readonly Region[];

/** The place of a request's caller, as the platform tells it in `request.cf`. */
export interface CallerLocation {
  /** The data center that took the request, such as `FRA`. */
  readonly colo?: string | undefined;
  /** A code of two letters, such as `EU`. Absent for a caller from Tor. */
  readonly continent?: string | undefined;
  readonly country?: string | undefined;
  /** Degrees, as a text. */
  readonly longitude?: string | undefined;
}

/**
 * The call that made a team's ledger. Everything is null for a team that was created by a version
 * that did not note it: such a team may have had mail.
 */
export interface FirstMail {
  /** Unix milliseconds. */
  readonly at: number | null;
  readonly colo: string | null;
  readonly continent: string | null;
  readonly country: string | null;
  /** The region that the platform was asked for. Null: the platform chose it. */
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

/** Returns the region nearest to the caller; undefined: the platform told no known continent. */
function nearestRegion({ continent, longitude }: CallerLocation): Region | undefined {
  if (continent === "NA" && Number(longitude) < MIDDLE_OF_NORTH_AMERICA) return "wnam";
  return OF_CONTINENT[continent ?? ""];
}

/** Returns the regions that a deployment may choose. */
export function regionsWithin(jurisdiction: "eu" | null): readonly Region[] {
  return jurisdiction === "eu" ? EU_REGIONS : REGIONS;
}

/**
 * Makes the note of a team's first mail. `chosen`: the team's setting, which precedes the caller's
 * continent. A region outside the jurisdiction is not asked for.
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
