// Remembers the continent of each Durable Object. An object is made on the continent that its first
// caller asks for, or else on the continent where that caller runs (docs/near-its-users.md). An
// object never moves. The local runtime has no continents.

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

/** The place where cron triggers run. It is on no caller's continent. */
export const CRON_CONTINENT = "anywhere";

const places = new Map<string, string>();

/**
 * Returns the continent of the object with this id, and records it at the first call. Undefined:
 * the object has no id, or no call has named its continent yet.
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
