// Reads the facts of a scanned reply that its row and its webhooks show (contract.md §Replies).
import type { Env } from "../../../env.ts";
import { parseWrittenMailbox } from "../../../lib/address.ts";
import { EVENT_NAME_CHARACTERS, SUBJECT_CHARACTERS } from "../../../limits.ts";
import type { ReplyRow } from "../../../resources/replies/store.ts";
import type { MessageRecord } from "../../../rpc/event-records.ts";
import { settingsOf } from "../../../settings.ts";
import type { Mailbox } from "../../message.ts";
import { isTagOf, type ReplyToken } from "../../reply-token.ts";
import { type Field, valueOf } from "../report-fields.ts";
import { addressIn, compareAddresses } from "../same-address.ts";
import { isAutomatic } from "./automatic-mail.ts";
import type { PartScanner } from "./part-scanner.ts";
import type { IncomingReply } from "./reply-store.ts";
import { fieldText, filesOf, readReplyContent } from "./reply-content.ts";

type ReadFacts = Omit<ReplyRow, "id" | "facts" | "seenAt" | "createdAt" | "expiresAt"> & {
  readonly facts: Omit<ReplyRow["facts"], "rawKey">;
  readonly text: string;
  readonly seenAt: null;
};

const PREVIEW_CHARACTERS = 500;
const MESSAGE_ID_CHARACTERS = 900;
const LISTED_ADDRESSES = 50;
const LISTED_FILES = 50;
const ADDRESS = /[^\s<>(),;:"']{1,128}@[^\s<>(),;:"']{1,255}/g;

/**
 * Reads the facts. `message` is the answered message. Undefined means that the message is not
 * stored any more.
 */
export async function readReplyFacts(
  env: Env,
  token: ReplyToken,
  message: MessageRecord | undefined,
  { header = [], parts }: PartScanner,
  { address, bytes, isSenderNull, verdicts }: IncomingReply,
): Promise<ReadFacts> {
  const { emailId, recipientIndex } = token.ref;
  const author = readAuthor(header);
  const from = author?.email ?? null;
  const known = message?.recipients[recipientIndex];
  const isTagged = from !== null && (await isTagOf(settingsOf(env).signingKey, token, from));
  const fromRecipient =
    isTagged || (from !== null && known !== undefined && compareAddresses(from, known) !== "other");
  const { text } = readReplyContent(parts);
  return {
    emailId,
    recipientIndex,
    recipient: known ?? (isTagged ? from : null),
    fromEmail: from,
    fromName: author?.name?.slice(0, EVENT_NAME_CHARACTERS).toWellFormed() ?? null,
    fromRecipient,
    subject: fieldText(header, "subject").slice(0, SUBJECT_CHARACTERS).toWellFormed(),
    preview: text.slice(0, PREVIEW_CHARACTERS).toWellFormed(),
    auto: isAutomatic({ header, author, isSenderNull, text, answered: message?.subject }),
    ...verdicts,
    bytes,
    seenAt: null,
    facts: {
      to: [address],
      cc: (valueOf(header, "cc")?.match(ADDRESS) ?? []).slice(0, LISTED_ADDRESSES),
      messageId: valueOf(header, "message-id")?.slice(0, MESSAGE_ID_CHARACTERS) || null,
      attachments: filesOf(parts)
        .slice(0, LISTED_FILES)
        .map((file) => {
          const { part: _, ...facts } = file;
          return facts;
        }),
      replyTo: message?.replyTo ?? [],
    },
    text,
  };
}

export function readAuthor(header: readonly Field[]): Mailbox | undefined {
  const written = fieldText(header, "from");
  const parsed = parseWrittenMailbox(written);
  if (parsed.kind === "mailbox") return parsed.mailbox;
  const inside = addressIn(/<([^<>]*)>[^<>]*$/.exec(written)?.[1] ?? written);
  const bare = inside === undefined ? undefined : parseWrittenMailbox(inside.trim());
  return bare?.kind === "mailbox" ? bare.mailbox : undefined;
}
