// Resend's endpoints of suppressions, translated to Postern's (docs/from-resend.md §Suppressions).
import { isJsonObject } from "../../lib/json.ts";
import type { JsonObject } from "../../mail/accept/fields.ts";
import { type FieldErrors, refuse } from "../../refusal.ts";
import { EVERY_TOPIC, parseSuppressedAddress } from "../../resources/suppressions/normalise.ts";
import type { Suppression } from "../../resources/suppressions/wire.ts";
import { bareId, ownId, segmentOf } from "./bare-ids.ts";
import { serveList } from "./lists.ts";
import type { OwnApi, ResendEndpoint } from "./resend-endpoint.ts";
import { reasonsOf, toResendSuppression } from "./suppression-shape.ts";

const PATH = "/v1/suppressions";
const BATCH_ENTRIES = 100;
const CALLS_AT_ONCE = 10;

export const suppressionEndpoints: readonly ResendEndpoint[] = [
  {
    method: "GET",
    path: "/suppressions",
    handle: (request, own) =>
      serveList<Suppression>(request, own, {
        path: PATH,
        searches: searchesOf(request.query.get("origin")),
        positionOf: ({ id, created_at: at }) =>
          JSON.stringify({ sort: "newest", position: [Date.parse(at), id] }),
        find: async (id) => (await find(id, own))[0],
        present: toResendSuppression,
      }),
  },
  {
    method: "POST",
    path: "/suppressions",
    status: 201,
    handle: ({ body }, own) => add(body, own),
  },
  {
    method: "GET",
    path: "/suppressions/:id",
    async handle({ params }, own) {
      const { data } = await own.ask<Found>({ method: "GET", path: pathOf(params["id"] ?? "") });
      return { object: "suppression", ...toResendSuppression(mainOf(data)) };
    },
  },
  {
    method: "DELETE",
    path: "/suppressions/:id",
    async handle({ params }, own) {
      const removed = await remove(params["id"] ?? "", own);
      if (!removed) throw refuse("not_found");
      return removed;
    },
  },
  {
    method: "POST",
    path: "/suppressions/batch/add",
    async handle({ body }, own) {
      const emails = readEntries(body, "emails");
      return { data: await inTurn(emails, (email) => add({ email }, own)) };
    },
  },
  {
    method: "POST",
    path: "/suppressions/batch/remove",
    async handle({ body }, own) {
      const { ids, emails } = isJsonObject(body) ? body : {};
      if (ids !== undefined && emails !== undefined)
        throw refuse("invalid", { errors: { ids: ["can't be combined with emails"] } });
      const entries = readEntries(body, ids === undefined ? "emails" : "ids");
      const removed = await inTurn(entries, (entry) => remove(entry, own));
      return { data: removed.filter((one) => one !== undefined) };
    },
  },
];

interface Found {
  readonly data: readonly Suppression[];
}

function pathOf(emailOrId: string): string {
  return `${PATH}/${segmentOf(ownId("sup", emailOrId))}`;
}

/** Returns the suppressions of an address. For an id, returns only the suppression with this id. */
async function find(emailOrId: string, own: OwnApi): Promise<readonly Suppression[]> {
  const path = pathOf(emailOrId);
  return (await own.askUnless<Found>(404, { method: "GET", path }))?.data ?? [];
}

/**
 * Returns the suppression of an address for all mail, or else the newest suppression of the
 * address.
 */
function mainOf(found: readonly Suppression[]): Suppression {
  return found.find(({ topic }) => topic === EVERY_TOPIC) ?? found[0]!;
}

/** Suppresses an address for all mail. Does nothing if the address is suppressed already. */
async function add(body: unknown, own: OwnApi): Promise<JsonObject> {
  const request = { method: "POST", path: PATH, body } as const;
  const added = await own.askUnless<Suppression>(422, request);
  if (added) return { object: "suppression", id: bareId(added.id) };
  const email = isJsonObject(body) ? body["email"] : undefined;
  const known = typeof email === "string" ? await find(email, own) : [];
  const { id } =
    known.find(({ topic }) => topic === EVERY_TOPIC) ?? (await own.ask<Suppression>(request));
  return { object: "suppression", id: bareId(id) };
}

/**
 * Removes the suppressions of an address. For an id, removes only the suppression with this id.
 * Returns undefined if there was no suppression.
 */
async function remove(emailOrId: string, own: OwnApi): Promise<JsonObject | undefined> {
  const found = await find(emailOrId, own);
  if (found.length === 0) return undefined;
  const { id, email, topic } = mainOf(found);
  const path = `${PATH}/${segmentOf(email)}`;
  await own.askUnless(404, {
    method: "DELETE",
    path: emailOrId.includes("@") ? path : `${path}/${segmentOf(topic)}`,
  });
  return { object: "suppression", id: bareId(id), deleted: true };
}

function searchesOf(origin: string | null): Record<string, string>[] {
  if (origin === null) return [{}];
  const reasons = reasonsOf(origin);
  if (reasons.length === 0)
    throw refuse("invalid", {
      errors: { origin: ["must be one of: bounce, complaint, manual"] },
    });
  return reasons.map((reason) => ({ reason }));
}

/**
 * Reads the entries. Validates all of them, so that a request with a wrong entry changes nothing.
 */
function readEntries(body: unknown, member: "emails" | "ids"): string[] {
  const entries = isJsonObject(body) ? body[member] : undefined;
  const problem = listProblem(entries);
  if (problem !== undefined) throw refuse("invalid", { errors: { [member]: [problem] } });
  const errors: FieldErrors = {};
  for (const [index, entry] of (entries as unknown[]).entries()) {
    const wrong = member === "emails" ? addressProblem(entry) : textProblem(entry);
    if (wrong !== undefined) errors[`${member}.${index}`] = [wrong];
  }
  if (Object.keys(errors).length > 0) throw refuse("invalid", { errors });
  return [...new Set(entries as string[])];
}

function listProblem(entries: unknown): string | undefined {
  if (entries === undefined) return "is required";
  if (!Array.isArray(entries)) return "must be an array";
  return entries.length >= 1 && entries.length <= BATCH_ENTRIES
    ? undefined
    : `must have 1 to ${BATCH_ENTRIES} entries`;
}

function textProblem(entry: unknown): string | undefined {
  return typeof entry === "string" ? undefined : "must be a string";
}

function addressProblem(entry: unknown): string | undefined {
  if (typeof entry !== "string") return textProblem(entry);
  const parsed = parseSuppressedAddress(entry);
  return parsed.kind === "refused" ? parsed.problem : undefined;
}

/**
 * Calls for the first entry alone, because this call counts the request against the rate. Then
 * calls for the other entries, several at once.
 */
async function inTurn<Result>(
  entries: readonly string[],
  call: (entry: string) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < entries.length; from = results.length) {
    const group = entries.slice(from, from === 0 ? 1 : from + CALLS_AT_ONCE);
    results.push(...(await Promise.all(group.map(call))));
  }
  return results;
}
