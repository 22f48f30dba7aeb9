// Serves the content of sent mail: GET /v1/email/{id}/content and its attachments (contract.md
// §Kept content), and the files of signed links.
import { Hono } from "hono";
import * as z from "zod";
import { type ApiRequest, type Endpoint, endpoint, json, type Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { refuse } from "../../refusal.ts";
import { teamByNumber } from "../../resources/team-settings/team-cache.ts";
import { settingsOf } from "../../settings.ts";
import { type FileDoor, fileLink, OPENED_HEADERS, readFileLink, savedAs } from "../file-link.ts";
import type { StoredAttachment } from "../message.ts";
import { findContent } from "./readable-content.ts";
import { type ShownContent, showContent } from "./shown-content.ts";
import { EmailContent, toEmailContent } from "./wire.ts";

const INDEX = /^\d{1,4}$/;
const DOOR: FileDoor = { segment: "a", purpose: "sent-file" };

export const contentEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/email/:id/content",
    summary: "Get the content of a sent message",
    description:
      "The content as it was accepted: rendered, before tracking, and with a dead link in place " +
      "of each recipient's unsubscribe link. It is kept for as long as the team chose by " +
      "`PATCH /v1/team`. Otherwise the answer is a 404 that says why.",
    permission: "full",
    responses: { 200: EmailContent },
    async handle({ env, settings, caller: { team }, id, now }) {
      const { content, keptUntil } = await shownContentOf(env, team, id, now);
      const links = content.attachments.map((_, index) =>
        fileLink(DOOR, settings, { teamNumber: team.number, ownerId: id, index }, now),
      );
      return json(200, toEmailContent(content, keptUntil, await Promise.all(links)));
    },
  }),
  endpoint({
    method: "GET",
    path: "/v1/email/:id/content/attachments/:index",
    summary: "Get an attachment of a sent message",
    description: "The bytes of the file. `GET /v1/email/{id}/content` has its name and type.",
    operationId: "getEmailContentAttachment",
    permission: "full",
    produces: "application/octet-stream",
    responses: { 200: z.string() },
    async handle({ env, caller: { team }, id, params, now }: ApiRequest) {
      const index = params["index"] ?? "";
      const file = INDEX.test(index) && (await fileOf(env, team, id, Number(index), now));
      if (!file) throw refuse("not_found");
      return { status: 200, stream: bytesOf(file).stream(), headers: savedAs(file.filename) };
    },
  }),
];

interface PageEnv {
  readonly Bindings: Env;
  readonly Variables: { readonly now: number };
}

/**
 * Serves the files of signed links. A browser saves these files and never shows them, because a
 * stranger may have made them.
 */
export const fileLinks = new Hono<PageEnv>()
  .get("/a/:token", async (c) => {
    const now = c.get("now");
    const ref = await readFileLink(DOOR, settingsOf(c.env).signingKey, c.req.param("token"), now);
    const team = ref && (await teamByNumber(c.env, ref.teamNumber, now));
    const file =
      team && ref.index !== null && (await fileOf(c.env, team, ref.ownerId, ref.index, now));
    if (!file) throw refuse("not_found");
    const headers = { ...savedAs(file.filename), ...OPENED_HEADERS };
    return c.body(bytesOf(file).stream(), 200, headers);
  })
  .all("/a/:token", () => Promise.reject(refuse("method_not_allowed", { allow: ["GET"] })));

async function fileOf(
  env: Env,
  team: Team,
  id: string,
  index: number,
  now: number,
): Promise<StoredAttachment | undefined> {
  return (await shownContentOf(env, team, id, now)).content.attachments[index];
}

async function shownContentOf(
  env: Env,
  team: Team,
  id: string,
  now: number,
): Promise<{ readonly content: ShownContent; readonly keptUntil: number }> {
  const { message, content, keptUntil } = await findContent(env, team, id, now);
  return { content: await showContent(message, content), keptUntil };
}

function bytesOf({ content }: StoredAttachment): Blob {
  return new Blob([new Uint8Array(content)]);
}
