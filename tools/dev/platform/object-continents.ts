// Remembers on which continent each Durable Object was made: where its first caller wanted it, or
// else where that caller ran (docs/near-its-users.md). An object never moves. The local runtime has
// one place for all.

/** The continent of each region that a location hint names. */
const CONTINENTS: Readonly<Record<string, string>> = {
  wnam: "NA",
  enam: "NA",
  sam: "SA",
  weur: "EU",
  eeur: "EU",
  apac: "AS",
  oc: "OC",
  afr: "AF",
  me: "AS",
};

/** The place of cron triggers, which run anywhere: on no continent of a caller. */
export const CRON_CONTINENT = "anywhere";

const places = new Map<string, string>();

/**
 * Returns where the object with this id is, and notes it at its first call. Undefined: the object
 * has no id, or no call has told its place yet.
 */
export function firstContinentOf(
  id: string,
  hint: string | undefined,
  from: string | undefined,
): string | undefined {
  const place = places.get(id) ?? CONTINENTS[hint ?? ""] ?? from;
  if (id !== "" && place !== undefined) places.set(id, place);
  return place;
}

export function continentOfObject(id: string): string | undefined {
  return places.get(id);
}
