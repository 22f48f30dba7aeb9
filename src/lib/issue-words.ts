// Says in plain words what a zod schema found wrong (contract.md §Wording of errors). Sends and
// resources share these words, so no message of zod's own reaches a caller.
import type * as z from "zod";

type Issue = z.core.$ZodRawIssue;

const ARTICLE_AN = /^[aeiou]/;

/** The names that zod gives to types, where a caller knows them by another. */
const TYPES: Readonly<Record<string, string>> = {
  int: "whole number",
  record: "object",
  map: "object",
  set: "array",
  tuple: "array",
};

const FORMATS: Readonly<Record<string, string>> = {
  email: "must be an email address",
  url: "must be a URL",
  datetime: "must be an ISO 8601 date-time",
};

/**
 * An error map for safeParse. The phrase goes on from the field's name, as in "`subject` is
 * required". A message that a schema carries itself wins over it.
 */
export function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${withArticle(issue.expected)}`;
    case "invalid_value":
      return issue.input === undefined ? "is required" : oneOf(issue.values);
    case "too_small":
      return describeTooSmall(issue);
    case "too_big":
      return `must be ${issue.inclusive === false ? "less than" : "at most"} ${measured(issue.maximum, issue.origin)}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_format":
      return FORMATS[issue.format] ?? "is not in the form that this field takes";
    case "invalid_union":
      return issue.input === undefined ? "is required" : describeUnion(issue.errors ?? []);
    case "unrecognized_keys":
    case "invalid_key":
    case "invalid_element":
    case "custom":
    default:
      return "is not valid";
  }
}

function describeTooSmall({
  minimum,
  origin,
  inclusive,
}: Extract<Issue, { code: "too_small" }>): string {
  if (origin === "string" && minimum === 1) return "must not be empty";
  return `must be ${inclusive === false ? "more than" : "at least"} ${measured(minimum, origin)}`;
}

function measured(limit: number | bigint | string | Date | undefined, origin: string): string {
  if (origin === "string") return `${String(limit)} character${Number(limit) === 1 ? "" : "s"}`;
  return origin === "array" || origin === "set"
    ? `${String(limit)} entr${Number(limit) === 1 ? "y" : "ies"}`
    : String(limit);
}

/**
 * Names every type that one of the options takes. An option that takes the type and refuses the
 * value is named by its type too.
 */
function describeUnion(options: readonly (readonly z.core.$ZodIssue[])[]): string {
  const issues = options.map(([first]) => first);
  if (issues.length > 0 && issues.every((issue) => issue?.code === "invalid_value")) {
    return oneOf(issues.flatMap((issue) => (issue?.code === "invalid_value" ? issue.values : [])));
  }
  const types = issues.flatMap((issue) =>
    issue?.code === "invalid_type" && issue.path.length === 0 ? withArticle(issue.expected) : [],
  );
  return types.length > 0 && types.length === issues.length
    ? `must be ${[...new Set(types)].join(" or ")}`
    : "is not valid";
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1
    ? `must be ${String(values[0])}`
    : `must be one of: ${values.map(String).join(", ")}`;
}

function withArticle(type: string): string {
  const name = TYPES[type] ?? type;
  return name === "null" ? name : `${ARTICLE_AN.test(name) ? "an" : "a"} ${name}`;
}
