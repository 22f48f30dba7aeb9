// Reads `limit` and `after`, and answers `{data, has_more, next_cursor}` (contract.md §Lists). A
// cursor contains the endpoint's position and a MAC for one team and one endpoint. A cursor with a
// wrong MAC gets 422 before code parses its position.
import type { Context } from "hono";
import { type Endpoint, json, type HttpReply } from "../endpoint.ts";
import { decodeBase64, encodeBase64Url } from "../lib/crypto/base64.ts";
import { equalInConstantTime, sign } from "../lib/crypto/crypto.ts";
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from "../limits.ts";
import { type FieldErrors, refuse } from "../refusal.ts";
import { settingsOf } from "../settings.ts";
import type { ApiContext, RequestStep } from "./api-context.ts";

const MAC_BYTES = 16;
const LONGEST_CURSOR = 2_048;

const encoder = new TextEncoder();

/**
 * Returns the step that reads `limit` and `after`. It reports the problems of both in one refusal.
 */
export function readPage(endpoint: Endpoint): RequestStep {
  return async (c) => {
    const errors: FieldErrors = {};
    const limit = parseLimit(c.req.query("limit"));
    if (limit === undefined) errors.limit = [`must be a whole number from 1 to ${LIST_LIMIT_MAX}`];
    const cursor = c.req.query("after") ?? null;
    const after =
      cursor === null
        ? null
        : await openCursor(
            settingsOf(c.env).signingKey,
            audienceOf(endpoint, c.get("caller")?.team.id),
            cursor,
          );
    if (after === undefined) errors.after = ["is not a cursor of this endpoint"];
    if (limit === undefined || after === undefined) throw refuse("invalid", { errors });
    c.set("page", { limit, after });
  };
}

/** Renders a list as JSON, with the next position as a cursor. */
export async function renderList(
  signingKey: string,
  endpoint: Endpoint,
  teamId: string | undefined,
  list: NonNullable<HttpReply["list"]>,
): Promise<HttpReply> {
  const cursor =
    list.next === null
      ? null
      : await signCursor(signingKey, audienceOf(endpoint, teamId), list.next);
  return json(200, { data: list.data, has_more: cursor !== null, next_cursor: cursor });
}

/** Makes a cursor from a position in the list at `path`, for the caller's team. */
export function cursorAt(c: Context<ApiContext>, path: string, position: string): Promise<string> {
  const { signingKey } = settingsOf(c.env);
  return signCursor(signingKey, audienceOf({ path }, c.get("caller").team.id), position);
}

function parseLimit(text: string | undefined): number | undefined {
  if (text === undefined) return LIST_LIMIT_DEFAULT;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= LIST_LIMIT_MAX ? limit : undefined;
}

function audienceOf(endpoint: Pick<Endpoint, "path">, teamId = "operator"): string {
  return `${endpoint.path}\n${teamId}\n`;
}

async function signCursor(signingKey: string, audience: string, position: string): Promise<string> {
  const text = encoder.encode(position);
  const mac = await macOf(signingKey, audience, position);
  const signed = new Uint8Array(MAC_BYTES + text.length);
  signed.set(mac);
  signed.set(text, MAC_BYTES);
  return encodeBase64Url(signed);
}

async function openCursor(
  signingKey: string,
  audience: string,
  cursor: string,
): Promise<string | undefined> {
  const signed = cursor.length <= LONGEST_CURSOR ? decodeBase64(cursor) : undefined;
  if (!signed || signed.length <= MAC_BYTES) return undefined;
  const position = new TextDecoder().decode(signed.subarray(MAC_BYTES));
  return equalInConstantTime(
    signed.subarray(0, MAC_BYTES),
    await macOf(signingKey, audience, position),
  )
    ? position
    : undefined;
}

async function macOf(signingKey: string, audience: string, position: string): Promise<Uint8Array> {
  return (await sign(signingKey, "cursor", encoder.encode(audience + position))).subarray(
    0,
    MAC_BYTES,
  );
}
