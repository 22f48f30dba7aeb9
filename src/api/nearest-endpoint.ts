// Finds the endpoint that a request to a path without one was probably meant for (contract.md
// §Wording of errors).
import { editDistance } from "../lib/nearest-name.ts";

interface Place {
  readonly method: string;
  readonly path: string;
}

/** Longer paths get no hint, which bounds the cost of the search. */
const CHARACTERS = 120;
const SEGMENTS = 8;
const MISSING_PARAMETER = 3;
const WRONG_START = 1;
const OTHER_METHOD = 0.5;
const CHARACTERS_AN_EDIT = 4;

/**
 * Returns the nearest endpoint, such as `GET /v1/email/{id}`. Undefined: none is near. Among
 * equally near endpoints, one with the request's method wins.
 */
export function nearestEndpoint(
  places: readonly Place[],
  method: string,
  path: string,
): string | undefined {
  const given = segmentsOf(path.toLowerCase());
  if (path.length > CHARACTERS || given.length === 0 || given.length > SEGMENTS) return undefined;
  let nearest: Place | undefined;
  let least = Math.max(2, path.length / CHARACTERS_AN_EDIT) + OTHER_METHOD;
  for (const place of places) {
    const distance =
      distanceTo(segmentsOf(place.path), given) + (place.method === method ? 0 : OTHER_METHOD);
    if (distance < least) {
      nearest = place;
      least = distance;
    }
  }
  return nearest && `${nearest.method} ${nearest.path.replace(/:(\w+)/g, "{$1}")}`;
}

/** A path that lacks its first segment, or has another one before it, is only one step away. */
function distanceTo(pattern: readonly string[], given: readonly string[]): number {
  const [prefix = ""] = pattern;
  return Math.min(
    segmentDistance(pattern, given),
    WRONG_START + segmentDistance(pattern, [prefix, ...given]),
    WRONG_START + segmentDistance(pattern, given.slice(1)),
  );
}

function segmentDistance(pattern: readonly string[], given: readonly string[]): number {
  let distance = 0;
  for (let index = 0; index < Math.max(pattern.length, given.length); index += 1) {
    const [wanted, found] = [pattern[index] ?? "", given[index] ?? ""];
    if (!wanted.startsWith(":")) distance += editDistance(wanted, found);
    else if (found === "") distance += MISSING_PARAMETER;
  }
  return distance;
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}
