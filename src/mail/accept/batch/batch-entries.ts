// Checks a batch against every rule that needs no look-up (contract.md §Batch). Each entry, merged
// with the defaults, is validated as a single send. In a strict batch, an error in one entry
// refuses all entries. One exception exists: if the defaults name an unknown IP pool, only the
// entries that use this default fail. In a permissive batch, each entry collects its own errors.
// Pure.
import { givenMembers } from "../../../lib/members/given-members.ts";
import { isJsonObject } from "../../../lib/json.ts";
import { ATTACHMENTS_PER_SEND, EMAILS_PER_BATCH } from "../../../limits.ts";
import { type Defaults, mergeEntry, readDefaults } from "./batch-defaults.ts";
import { FieldProblems } from "../field-problems.ts";
import { type JsonObject, readMembers } from "../fields.ts";
import type { RefusedSend } from "../render/unknown-templates.ts";
import { checkPool } from "../send-options.ts";
import { validateEmail, type ValidEmail } from "../validate-email.ts";
import { BatchFields, EmailBatchRequest } from "../wire.ts";

/** `problems` collects the errors of this entry. */
export type ValidEntry = { readonly problems: FieldProblems } & (
  | { readonly kind: "valid"; readonly email: ValidEmail }
  /**
   * An entry that takes an unknown IP pool from the defaults. `error` is its error object in JSON.
   */
  | { readonly kind: "failed"; readonly email: ValidEmail; readonly error: string }
  /** An entry with errors. Only a permissive batch continues with such an entry. */
  | { readonly kind: "invalid" }
);

const BODY_MEMBERS = ["template_id", "text", "html"] as const;

/**
 * Validates in order the entries of a batch that arrived at `now` (Unix milliseconds). Returns
 * undefined if it added an error that concerns the whole batch to `problems`. `ipPools` are the
 * team's own pools.
 */
export function validateBatch(
  body: JsonObject,
  ipPools: readonly string[],
  now: number,
  problems: FieldProblems,
): ValidEntry[] | undefined {
  const input = givenMembers(EmailBatchRequest, body) as JsonObject;
  const emails = readEmails(input["emails"], problems);
  const defaults = readDefaults(input, problems);
  const { validation } = readMembers(BatchFields, input, "", problems);
  if (!emails || !defaults || problems.count > 0) return undefined;
  const isPermissive = validation === "permissive";
  const poolError = isPermissive ? undefined : inheritedPoolError(defaults, ipPools);
  const entries = emails.map((entry, index): ValidEntry => {
    const own = isPermissive ? problems.apart(placeOf(index)) : problems.under(placeOf(index));
    if (!isJsonObject(entry)) {
      if (isPermissive) own.malformed("body", "must be a JSON object");
      else problems.invalid(placeOf(index), "must be an object");
      return { kind: "invalid", problems: own };
    }
    const inherits = entry["ip_pool"] === undefined && defaults.ipPool !== undefined;
    const whole =
      inherits && poolError === undefined ? { ...entry, ip_pool: defaults.ipPool } : entry;
    const email = validateEntry(whole, defaults, ipPools, now, own);
    if (!email) return { kind: "invalid", problems: own };
    return inherits && poolError !== undefined
      ? { kind: "failed", problems: own, email, error: poolError }
      : { kind: "valid", problems: own, email };
  });
  return problems.count === 0 ? entries : undefined;
}

/**
 * Returns, for each entry that validation refused, the members that decide whether the entry uses a
 * template. `entries` are the results of the validation. Undefined means that the whole batch was
 * refused.
 */
export function refusedBodiesOf(
  { emails, defaults }: JsonObject,
  entries: readonly ValidEntry[] | undefined,
  problems: FieldProblems,
): RefusedSend[] {
  if (problemWith(emails) !== undefined) return [];
  const shared = isJsonObject(defaults) ? defaults : {};
  return (emails as readonly unknown[]).flatMap((entry, index): RefusedSend[] => {
    const validated = entries?.[index];
    if (validated && validated.kind !== "invalid") return [];
    const own = isJsonObject(entry) ? entry : undefined;
    const members = own ? BODY_MEMBERS.map((name) => [name, own[name] ?? shared[name]]) : [];
    return [
      {
        input: Object.fromEntries(members) as JsonObject,
        problems: validated?.problems ?? problems.under(placeOf(index)),
      },
    ];
  });
}

function placeOf(index: number): string {
  return `emails.${index}`;
}

function readEmails(emails: unknown, problems: FieldProblems): readonly unknown[] | undefined {
  const problem = problemWith(emails);
  if (problem === undefined) return emails as readonly unknown[];
  problems.malformed("emails", problem);
  return undefined;
}

function problemWith(emails: unknown): string | undefined {
  if (emails === undefined) return "is required";
  if (!Array.isArray(emails)) return "must be an array";
  if (emails.length === 0) return "must hold at least one email";
  return emails.length > EMAILS_PER_BATCH
    ? `has ${emails.length} entries; at most ${EMAILS_PER_BATCH} are allowed`
    : undefined;
}

/**
 * Returns, in JSON, the error for every entry that takes its IP pool from the defaults. Undefined
 * means that the pool is known, or that the defaults name no pool.
 */
function inheritedPoolError({ ipPool }: Defaults, ipPools: readonly string[]): string | undefined {
  const problems = new FieldProblems();
  checkPool(ipPool, ipPools, problems);
  return problems.count === 0 ? undefined : problems.itemError();
}

function validateEntry(
  entry: JsonObject,
  defaults: Defaults,
  ipPools: readonly string[],
  now: number,
  problems: FieldProblems,
): ValidEmail | undefined {
  const before = problems.count;
  const shared = defaults.attachments;
  const own = Array.isArray(entry["attachments"]) ? entry["attachments"].length : 0;
  if (own <= ATTACHMENTS_PER_SEND && own + shared.length > ATTACHMENTS_PER_SEND) {
    problems.malformed(
      "attachments",
      `has ${own + shared.length} entries with those of defaults; ` +
        `at most ${ATTACHMENTS_PER_SEND} are allowed`,
    );
  }
  const email = validateEmail(mergeEntry(entry, defaults), ipPools, now, problems);
  if (!email || problems.count > before) return undefined;
  return shared.length === 0 ? email : { ...email, attachments: [...shared, ...email.attachments] };
}
