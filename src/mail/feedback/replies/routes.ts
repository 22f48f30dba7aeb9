// Serves /v1/replies: the replies to messages with `reply_tracking` (contract.md §Replies), and the
// files of signed links. The author of a reply is a stranger, so browsers save its files and never
// show them.
import { Hono } from "hono";
import * as z from "zod";
import { repliesOf } from "../../../db/client.ts";
import {
  type ApiRequest,
  type Endpoint,
  endpoint,
  type HttpReply,
  json,
  listRows,
} from "../../../endpoint.ts";
import type { Env } from "../../../env.ts";
import { REPLY_AFTER_SEEN_MS, REPLY_SEEN_MS, REPLY_UNSEEN_MS } from "../../../limits.ts";
import { refuse } from "../../../refusal.ts";
import { getReply, listReplies, type ReplyRow, setSeen } from "../../../resources/replies/store.ts";
import { teamByNumber } from "../../../resources/team-settings/team-cache.ts";
import { settingsOf } from "../../../settings.ts";
import { type FileDoor, fileLink, OPENED_HEADERS, readFileLink, savedAs } from "../../file-link.ts";
import { getRaw, readReplyFile, readStoredReply } from "./stored-reply.ts";
import { Reply, ReplyQuery, toReply, toWholeReply, UpdateReply, WholeReply } from "./wire.ts";

const INDEX = /^\d{1,3}$/;
const DOOR: FileDoor = { segment: "r", purpose: "reply-file" };

export const replyEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/replies",
    summary: "List replies, newest first",
    description:
      "Answers to messages with `reply_tracking`. Each is tied to its message and recipient by the " +
      "signed address that it came to, not by subject or references.",
    permission: "full",
    query: ReplyQuery,
    paginated: true,
    responses: { 200: Reply },
    async handle({ env, caller: { team }, page, query, now }) {
      const { email_id: emailId, recipient, seen } = query;
      const filters = { emailId, recipient, seen: seen === undefined ? seen : seen === "true" };
      return listRows(
        page,
        (limit, after) => listReplies(repliesOf(env, team), filters, limit, after, now),
        toReply,
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/v1/replies/:id",
    summary: "Get a reply with its text, HTML and headers",
    description:
      "`text` is the reply's own text. `quoted` is the quoted mail that was cut off. The sender of " +
      "the reply wrote both, so do not trust them.",
    permission: "full",
    responses: { 200: WholeReply },
    async handle({ env, settings, caller: { team }, id, now }) {
      const stored = await readStoredReply(env, repliesOf(env, team), id, now);
      const indexes = [...stored.row.facts.attachments.keys(), null];
      const links = await Promise.all(
        indexes.map((index) =>
          fileLink(DOOR, settings, { teamNumber: team.number, ownerId: id, index }, now),
        ),
      );
      return json(200, toWholeReply(stored, links));
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/v1/replies/:id",
    summary: "Mark a reply as seen or not seen",
    permission: "full",
    body: UpdateReply,
    responses: { 200: Reply },
    async handle({ env, caller: { team }, id, body: { seen }, now }) {
      const scope = repliesOf(env, team);
      const row = await getReply(scope, id, now);
      await setSeen(scope, id, seen, expiryOf(row, seen, now), now);
      return json(200, toReply(await getReply(scope, id, now)));
    },
  }),
  endpoint({
    method: "GET",
    path: "/v1/replies/:id/attachments/:index",
    summary: "Get a file of a reply",
    description: "The bytes of the file. `GET /v1/replies/{id}` has its name and type.",
    operationId: "getReplyAttachment",
    permission: "full",
    produces: "application/octet-stream",
    responses: { 200: z.string() },
    handle: ({ env, caller: { team }, id, params, now }: ApiRequest) =>
      serveFile(env, team, id, params["index"] ?? "", now),
  }),
  endpoint({
    method: "GET",
    path: "/v1/replies/:id/raw",
    summary: "Get the raw mail of a reply",
    operationId: "getRawReply",
    permission: "full",
    produces: "message/rfc822",
    responses: { 200: z.string() },
    handle: ({ env, caller: { team }, id, now }: ApiRequest) => serveRaw(env, team, id, now),
  }),
];

interface PageEnv {
  readonly Bindings: Env;
  readonly Variables: { readonly now: number };
}

export const replyFiles = new Hono<PageEnv>()
  .get("/r/:token", async (c) => {
    const now = c.get("now");
    const { signingKey } = settingsOf(c.env);
    const ref = await readFileLink(DOOR, signingKey, c.req.param("token"), now);
    const team = ref && (await teamByNumber(c.env, ref.teamNumber, now));
    if (!team) throw refuse("not_found");
    const { stream, headers } =
      ref.index === null
        ? await serveRaw(c.env, team, ref.ownerId, now)
        : await serveFile(c.env, team, ref.ownerId, String(ref.index), now);
    return new Response(stream ?? null, { headers: { ...headers, ...OPENED_HEADERS } });
  })
  .all("/r/:token", () => Promise.reject(refuse("method_not_allowed", { allow: ["GET"] })));

type FileOwner = Parameters<typeof repliesOf>[1];

async function serveFile(
  env: Env,
  team: FileOwner,
  id: string,
  index: string,
  now: number,
): Promise<HttpReply> {
  const found =
    INDEX.test(index) && (await readReplyFile(env, repliesOf(env, team), id, Number(index), now));
  if (!found) throw refuse("not_found");
  return {
    status: 200,
    stream: new Blob([found.bytes]).stream(),
    headers: savedAs(found.file.filename),
  };
}

async function serveRaw(env: Env, team: FileOwner, id: string, now: number): Promise<HttpReply> {
  const { body } = await getRaw(env, await getReply(repliesOf(env, team), id, now));
  return { status: 200, stream: body as ReadableStream<Uint8Array>, headers: savedAs(`${id}.eml`) };
}

/**
 * Returns the time at which a reply expires. A reply that was seen is stored for a shorter time,
 * but is not deleted at once.
 */
function expiryOf({ createdAt }: ReplyRow, seen: boolean, now: number): number {
  const longest = createdAt + REPLY_UNSEEN_MS;
  return seen
    ? Math.min(longest, Math.max(createdAt + REPLY_SEEN_MS, now + REPLY_AFTER_SEEN_MS))
    : longest;
}
