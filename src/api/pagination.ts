// Reads `limit` and `after`, and answers `{data, has_more, next_cursor}` (contract.md §Lists). A
// cursor is the endpoint's own position, sealed for one team and one endpoint: a foreign or forged
// one is a 422, and no code parses it.
import { createMiddleware } from "hono/factory";
import { type Endpoint, json, type HttpReply } from "../endpoint.ts";
import { decodeBase64, encodeBase64Url } from "../lib/crypto/base64.ts";
import { equalInConstantTime, sign } from "../lib/crypto/crypto.ts";
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from "../limits.ts";
import { type FieldErrors, refuse } from "../refusal.ts";
import { settingsOf } from "../settings.ts";
import type { ApiContext } from "./api-context.ts";

const MAC_BYTES = 16;
const LONGEST_CURSOR = 2_048;

const encoder = new TextEncoder();

/** Reads `limit` and `after`; both wrong are both reported. */
export function readPage(endpoint: Endpoint) {
  return createMiddleware<ApiContext>(async (c, next) => {
    const errors: FieldErrors = {};
    const limit = parseLimit(c.req.query("limit"));
    if (limit === undefined) errors.limit = [`must be a whole number from 1 to ${LIST_LIMIT_MAX}`];
    const cursor = c.req.query("after") ?? null;
    const after =
      cursor === null
        ? null
        : await openCursor(
            settingsOf(c.env).signingKey,
            audience(endpoint, c.get("caller")?.team.id),
            cursor,
          );
    if (after === undefined) errors.after = ["is not a cursor of this endpoint"];
    if (limit === undefined || after === undefined) throw refuse("invalid", { errors });
    c.set("page", { limit, after });
    await next();
  });
}

/** A reply's list as JSON, its next position sealed. */
export async function renderList(
  signingKey: string,
  endpoint: Endpoint,
  teamId: string | undefined,
  list: NonNullable<HttpReply["list"]>,
): Promise<HttpReply> {
  const cursor =
    list.next === null ? null : await sealCursor(signingKey, audience(endpoint, teamId), list.next);
  return json(200, { data: list.data, has_more: cursor !== null, next_cursor: cursor });
}

function parseLimit(text: string | undefined): number | undefined {
  if (text === undefined) return LIST_LIMIT_DEFAULT;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= LIST_LIMIT_MAX ? limit : undefined;
}

function audience(endpoint: Endpoint, teamId = "operator"): string {
  return `${endpoint.path}\n${teamId}\n`;
}

async function sealCursor(signingKey: string, forWhom: string, position: string): Promise<string> {
  const text = encoder.encode(position);
  const mac = await macOf(signingKey, forWhom, position);
  const sealed = new Uint8Array(MAC_BYTES + text.length);
  sealed.set(mac);
  sealed.set(text, MAC_BYTES);
  return encodeBase64Url(sealed);
}

async function openCursor(
  signingKey: string,
  forWhom: string,
  cursor: string,
): Promise<string | undefined> {
  const sealed = cursor.length <= LONGEST_CURSOR ? decodeBase64(cursor) : undefined;
  if (!sealed || sealed.length <= MAC_BYTES) return undefined;
  const position = new TextDecoder().decode(sealed.subarray(MAC_BYTES));
  return equalInConstantTime(
    sealed.subarray(0, MAC_BYTES),
    await macOf(signingKey, forWhom, position),
  )
    ? position
    : undefined;
}

async function macOf(signingKey: string, forWhom: string, position: string): Promise<Uint8Array> {
  return (await sign(signingKey, "cursor", encoder.encode(forWhom + position))).subarray(
    0,
    MAC_BYTES,
  );
}
