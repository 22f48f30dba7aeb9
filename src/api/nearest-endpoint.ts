// Suggests an endpoint for a request to an unknown path (contract.md §Wording of errors). The
// segments of both paths are aligned in order, and each difference has a cost. Pure.
import { editDistance } from "../lib/nearest-name.ts";

interface Place {
  readonly method: string;
  readonly path: string;
}

/**
 * Maximum characters and segments of a path that gets a suggestion. The limits bound the cost of
 * the search.
 */
const CHARACTERS = 120;
const SEGMENTS = 8;

/**
 * The total cost from which an endpoint is too different to be suggested. The constants below are
 * the costs of single differences.
 */
const FAR = 1.5;
const OTHER_METHOD = 0.7;
const OTHER_VERSION = 0.25;
const SYNONYM = 0.3;
const FILLED_PARAMETER = 0.1;
/**
 * The cost of matching a plain word with a parameter. The cost is high, because a plain word is
 * usually a part of an endpoint's own path.
 */
const WORD_AS_PARAMETER = 0.9;
const MISSING_START = 0.3;
const MISSING_SEGMENT = 1;
const FURTHER_START = 0.3;
const FURTHER_SEGMENT = 0.8;
/** Two names are similar if at most one in CHARACTERS_AN_EDIT of their characters differs. */
const CHARACTERS_AN_EDIT = 3;

const VERSION = /^v?\d+(?:\.\d+)*$/;
const WORD = /^[a-z-]+$/;
/** Path segments that other services use for sending a message. */
const SENDING = new Set(["mail", "mails", "message", "messages", "send", "smtp", "transmissions"]);

/** The cheapest alignment of a pattern's first segments with the request's first segments. */
interface Alignment {
  readonly cost: number;
  /** True: the request contains a fixed segment of the pattern, apart from the version. */
  readonly hasName: boolean;
}

const NONE: Alignment = { cost: Number.POSITIVE_INFINITY, hasName: false };

/**
 * Returns the endpoint that is most similar to the request, such as `GET /v1/email/{id}`.
 * Undefined: no endpoint is similar. If several are equally similar, returns the first.
 */
export function nearestEndpoint(
  places: readonly Place[],
  method: string,
  path: string,
): string | undefined {
  const given = segmentsOf(path.toLowerCase());
  if (path.length > CHARACTERS || given.length === 0 || given.length > SEGMENTS) return undefined;
  let nearest: Place | undefined;
  let least = FAR;
  for (const place of places) {
    const { cost, hasName } = align(segmentsOf(place.path), given);
    const whole = cost + (place.method === method ? 0 : OTHER_METHOD);
    if (!hasName || whole >= least) continue;
    nearest = place;
    least = whole;
  }
  return nearest && `${nearest.method} ${nearest.path.replace(/:(\w+)/g, "{$1}")}`;
}

/**
 * Aligns a pattern with the request at the lowest cost: each segment matches, is missing or is
 * extra.
 */
function align(pattern: readonly string[], given: readonly string[]): Alignment {
  let row: Alignment[] = [];
  for (let place = 0; place <= pattern.length; place += 1) {
    const above = row;
    row = [];
    for (let at = 0; at <= given.length; at += 1) {
      if (place === 0 && at === 0) {
        row.push({ cost: 0, hasName: false });
        continue;
      }
      const [wanted = "", found = ""] = [pattern[place - 1], given[at - 1]];
      row.push(
        cheapest([
          after(above[at], place === 1 ? MISSING_START : MISSING_SEGMENT),
          after(row[at - 1], furtherCost(found, at)),
          after(above[at - 1], matchCost(wanted, found), isName(wanted)),
        ]),
      );
    }
  }
  return row[given.length] ?? NONE;
}

function after(before: Alignment | undefined, cost: number, isNamed = false): Alignment {
  return before ? { cost: before.cost + cost, hasName: before.hasName || isNamed } : NONE;
}

function cheapest(ways: readonly Alignment[]): Alignment {
  return ways.reduce((least, way) => (way.cost < least.cost ? way : least));
}

function furtherCost(found: string, at: number): number {
  if (SENDING.has(found)) return SYNONYM;
  return at === 1 ? FURTHER_START : FURTHER_SEGMENT;
}

function matchCost(wanted: string, found: string): number {
  if (wanted.startsWith(":")) return WORD.test(found) ? WORD_AS_PARAMETER : FILLED_PARAMETER;
  if (wanted === found) return 0;
  if (VERSION.test(wanted)) return VERSION.test(found) ? OTHER_VERSION : NONE.cost;
  const edits = editDistance(wanted, found);
  const longest = Math.max(wanted.length, found.length);
  if (edits * CHARACTERS_AN_EDIT <= longest) return edits / longest;
  return wanted === "email" && SENDING.has(found) ? SYNONYM : NONE.cost;
}

function isName(wanted: string): boolean {
  return !wanted.startsWith(":") && !VERSION.test(wanted) && wanted !== "admin";
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}
