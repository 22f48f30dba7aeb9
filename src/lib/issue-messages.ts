// Writes the messages for issues that a zod schema finds (contract.md §Wording of errors). Sends
// and resources share these messages, so callers never see zod's own. Pure.
import type * as z from "zod";

type Issue = z.core.$ZodRawIssue;

const ARTICLE_AN = /^[aeiou]/;

/** Type names in messages, for types to which zod gives a name that callers do not know. */
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
 * Writes the message for an issue; used as zod's error map. The message continues the field's name,
 * as in "`subject` is required". A message in the schema itself takes precedence.
 */
export function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${withArticle(issue.expected)}`;
    case "invalid_value":
      return issue.input === undefined ? "is required" : listValues(issue.values);
    case "too_small":
      return describeTooSmall(issue);
    case "too_big":
      return (
        `must be ${issue.inclusive === false ? "less than" : "at most"} ` +
        withUnit(issue.maximum, issue.origin)
      );
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_format":
      return FORMATS[issue.format] ?? "does not have the format of this field";
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
  return `must be ${inclusive === false ? "more than" : "at least"} ${withUnit(minimum, origin)}`;
}

function withUnit(limit: number | bigint | string | Date | undefined, origin: string): string {
  if (origin === "string") return `${String(limit)} character${Number(limit) === 1 ? "" : "s"}`;
  return origin === "array" || origin === "set"
    ? `${String(limit)} entr${Number(limit) === 1 ? "y" : "ies"}`
    : String(limit);
}

/**
 * Lists the accepted values if all options of a union refuse the value, or the accepted types if
 * all options refuse the type.
 */
function describeUnion(options: readonly (readonly z.core.$ZodIssue[])[]): string {
  const issues = options.map(([first]) => first);
  if (issues.length > 0 && issues.every((issue) => issue?.code === "invalid_value")) {
    return listValues(
      issues.flatMap((issue) => (issue?.code === "invalid_value" ? issue.values : [])),
    );
  }
  const types = issues.flatMap((issue) =>
    issue?.code === "invalid_type" && issue.path.length === 0 ? withArticle(issue.expected) : [],
  );
  return types.length > 0 && types.length === issues.length
    ? `must be ${[...new Set(types)].join(" or ")}`
    : "is not valid";
}

function listValues(values: readonly unknown[]): string {
  return values.length === 1
    ? `must be ${String(values[0])}`
    : `must be one of: ${values.map(String).join(", ")}`;
}

function withArticle(type: string): string {
  const name = TYPES[type] ?? type;
  return name === "null" ? name : `${ARTICLE_AN.test(name) ? "an" : "a"} ${name}`;
}
