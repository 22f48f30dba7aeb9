// Lists, in headers of the response, the names in the request that the service ignored (contract.md
// §Ignored members, §Query parameters). A warning never changes the status or the body. A worker on
// a developer's machine also logs the warning, with the name that was probably meant.
import type * as z from "zod";
import { isLocal } from "../settings.ts";
import type { Context } from "hono";
import type { Env } from "../env.ts";
import type { NameInWarning, WarningHeader } from "../endpoint.ts";
import { logWarning } from "../lib/log.ts";
import { listNames } from "../lib/name-list.ts";
import { findNearest } from "../lib/nearest-name.ts";
import { unknownMembers } from "../lib/members/unknown-members.ts";
import type { ApiContext } from "./api-context.ts";

const NAMES_LOGGED = 20;

/**
 * Adds the names to the response, even if it is an error. An empty list adds no header. `more`: the
 * number of further names, which are only counted.
 */
export function warnOfNames(
  c: Context<ApiContext>,
  header: WarningHeader,
  names: Iterable<NameInWarning>,
  more = 0,
): void {
  const logged: string[] = [];
  const list = listNames(pathsOf(names, c.env, logged), more);
  if (list === undefined) return;
  c.get("answerHeaders")[header] = list;
  if (logged.length > 0)
    logWarning("names_not_used", { request_id: c.get("requestId"), header, names: logged });
}

/** Names the members of a body that the schema does not declare. */
export function warnOfMembers(c: Context<ApiContext>, schema: z.ZodType, body: unknown): void {
  const { members, more } = unknownMembers(schema, body);
  warnOfNames(c, "X-Ignored-Members", members, more);
}

function* pathsOf(
  names: Iterable<NameInWarning>,
  env: Env,
  logged: string[],
): Generator<readonly string[]> {
  for (const { path, known } of names) {
    if (logged.length < NAMES_LOGGED && isLocal(env)) logged.push(hintOf(path, known));
    yield path;
  }
}

function hintOf(path: readonly string[], known: readonly string[]): string {
  const meant = findNearest(path.at(-1) ?? "", known);
  return `${path.join(".")}${meant === undefined ? "" : `: did you mean ${meant}?`}`;
}
