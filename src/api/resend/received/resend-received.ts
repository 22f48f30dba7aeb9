// Resend's endpoints of received mail, translated to Postern's replies (docs/from-resend.md
// §Received mail). Postern receives only answers to messages with `reply_tracking`.
import type * as z from "zod";
import { rowPositionText } from "../../../endpoint.ts";
import type { JsonObject } from "../../../mail/accept/fields.ts";
import type { Reply, WholeReply } from "../../../mail/feedback/replies/wire.ts";
import { refuse } from "../../../refusal.ts";
import { bareId, idSegment } from "../bare-ids.ts";
import { type ListedItem, serveList } from "../lists.ts";
import type { OwnRequest, ResendEndpoint } from "../resend-endpoint.ts";

type OwnReply = z.output<typeof Reply>;
type OwnWholeReply = z.output<typeof WholeReply>;
type OwnFile = OwnReply["attachments"][number];

const PATH = "/v1/replies";
const BASE = "/emails/receiving";

export const receivedEndpoints: readonly ResendEndpoint[] = [
  {
    method: "GET",
    path: BASE,
    handle: (request, own) =>
      serveList<OwnReply & ListedItem>(request, own, {
        path: PATH,
        positionOf: (item) => rowPositionText({ createdAt: timeOfItem(item), id: item.id }),
        find: async (id) => {
          const found = await own.askUnless<OwnReply>(404, replyAt(id));
          return found && { id: found.id, created_at: found.received_at };
        },
        present: toReceived,
      }),
  },
  {
    method: "GET",
    path: `${BASE}/:id`,
    async handle({ params }, own) {
      const reply = await own.ask<OwnWholeReply>(replyAt(params["id"]));
      const { html, text, quoted, headers } = reply;
      return {
        object: "email",
        ...toReceived(reply),
        html,
        text: [text, quoted].filter((part) => part !== "").join("\n\n") || null,
        headers,
        raw: { download_url: reply.raw_download_url, expires_at: reply.download_expires_at },
      };
    },
  },
  {
    method: "GET",
    path: `${BASE}/:id/attachments`,
    async handle({ params }, own) {
      const reply = await own.ask<OwnWholeReply>(replyAt(params["id"]));
      return { object: "list", has_more: false, data: filesOf(reply) };
    },
  },
  {
    method: "GET",
    path: `${BASE}/:id/attachments/:file`,
    async handle({ params }, own) {
      const reply = await own.ask<OwnWholeReply>(replyAt(params["id"]));
      const file = filesOf(reply).find(({ id }) => id === params["file"]);
      if (!file) throw refuse("not_found");
      return { object: "attachment", ...file };
    },
  },
];

function replyAt(id: string | undefined): OwnRequest {
  return { method: "GET", path: `${PATH}/${idSegment("reply", id)}` };
}

function timeOfItem(item: ListedItem & Partial<OwnReply>): number {
  return Date.parse(item.received_at ?? item.created_at);
}

function toReceived(reply: OwnReply | OwnWholeReply): JsonObject {
  return {
    id: bareId(reply.id),
    to: reply.to,
    from: reply.from ?? "",
    created_at: reply.received_at,
    subject: reply.subject,
    bcc: [],
    cc: reply.cc,
    reply_to: [],
    message_id: reply.message_id ?? "",
    attachments: reply.attachments.map(toFile),
  };
}

/** Converts a file. Its id is its number, as in the webhook event `email.received`. */
function toFile(file: OwnFile) {
  return {
    id: String(file.index),
    filename: file.filename,
    content_type: file.content_type,
    content_disposition: file.is_inline ? "inline" : "attachment",
    content_id: file.content_id,
    size: file.size,
  };
}

function filesOf({ attachments, download_expires_at: expiresAt }: OwnWholeReply) {
  return attachments.map((file) => ({
    ...toFile(file),
    download_url: file.download_url,
    expires_at: expiresAt,
  }));
}
