// Reads a send's attachments (contract.md §Attachments): accepts base64 in every common spelling,
// and reduces file names to their last component. Pure.
import { decodeBase64 } from "../../lib/crypto/base64.ts";
import { isJsonObject } from "../../lib/json.ts";
import { ATTACHMENTS_PER_SEND } from "../../limits.ts";
import type { StoredAttachment } from "../message.ts";
import { contentTypeOf } from "./content-types.ts";
import type { FieldProblems } from "./field-problems.ts";
import { entriesOf, type FieldEntry, type JsonObject, readList, readMembers } from "./fields.ts";
import { toContentId, toFileName } from "./sanitize.ts";
import { EmailAttachment } from "./wire.ts";

const CONTENT_TYPE_CHARACTERS = 255;
const CONTENT_ID_CHARACTERS = 250;
/** Maximum length of an encoded Content-ID, which must fit on a line. */
const ENCODED_ID_CHARACTERS = 800;
const NOT_BASE64 = /[^A-Za-z0-9+/=_\r\n-]/u;
const NO_BYTES = new Uint8Array(0);
const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`{|}~-]+";
/** Matches `type/subtype`, with parameters (RFC 2045 §5.1). */
const CONTENT_TYPE = new RegExp(
  `^${TOKEN}/${TOKEN}(?: *; *${TOKEN}=(?:${TOKEN}|"(?:[ !#-[\\]-~]|\\\\[ -~])*"))*$`,
);

/** The attachments whose content must be fetched, each with the URL of its file. */
export type FilePaths = Map<StoredAttachment, string>;

/**
 * Adds to `paths` the attachments whose files must be fetched. If `paths` is undefined, the send
 * must not name files by URL.
 */
export function readAttachments(
  input: JsonObject,
  problems: FieldProblems,
  paths?: FilePaths,
): StoredAttachment[] {
  const entries = readList(input, "attachments", problems);
  if (entries.length > ATTACHMENTS_PER_SEND) {
    problems.malformed(
      "attachments",
      `has ${entries.length} entries; at most ${ATTACHMENTS_PER_SEND} are allowed`,
    );
  }
  return entriesOf("attachments", entries, ATTACHMENTS_PER_SEND)
    .map((entry) => readAttachment(entry, problems, paths))
    .filter((attachment) => attachment !== undefined);
}

function readAttachment(
  { path, value }: FieldEntry,
  problems: FieldProblems,
  paths: FilePaths | undefined,
): StoredAttachment | undefined {
  if (!isJsonObject(value)) {
    problems.invalid(path, "must be an object");
    return undefined;
  }
  const members = readMembers(EmailAttachment, value, `${path}.`, problems);
  const filename = toFileName(members.filename ?? "");
  const isFile = value["content"] === undefined && members.path !== undefined;
  const attachment = {
    filename,
    contentType:
      readContentType(members.content_type, `${path}.content_type`, problems) ??
      contentTypeOf(filename),
    contentId: readContentId(members.content_id, `${path}.content_id`, problems),
    content: isFile
      ? NO_BYTES
      : readContent(value["content"], members.content, `${path}.content`, problems),
  };
  if (isFile && paths && members.path !== undefined) paths.set(attachment, members.path);
  else if (isFile) problems.invalid(`${path}.path`, "is possible only in a single send");
  return attachment;
}

function readContent(
  given: unknown,
  content: string | undefined,
  path: string,
  problems: FieldProblems,
): Uint8Array {
  if (given === undefined) problems.invalid(path, "is required");
  const bytes = content === undefined ? NO_BYTES : decodeBase64(content);
  if (!bytes) problems.malformed(path, `is not valid base64${strayCharacter(content ?? "")}`);
  return bytes ?? NO_BYTES;
}

/** Returns the reason why a text is not base64, such as the colon in the text of a calendar. */
function strayCharacter(content: string): string {
  const [stray] = NOT_BASE64.exec(content) ?? [];
  return stray === undefined ? "" : `: it contains ${JSON.stringify(stray)}`;
}

function readContentType(
  text: string | undefined,
  path: string,
  problems: FieldProblems,
): string | undefined {
  if (text === undefined) return undefined;
  const type = text.trim();
  if (type.length > CONTENT_TYPE_CHARACTERS || !CONTENT_TYPE.test(type))
    problems.invalid(path, "is not a media type such as application/pdf");
  // A multipart or message part must not be base64 (RFC 2045 §6.4), and a multipart part would also
  // start a separate structure.
  else if (/^multipart\//i.test(type)) problems.invalid(path, "must be the type of a single file");
  return type;
}

function readContentId(
  text: string | undefined,
  path: string,
  problems: FieldProblems,
): string | null {
  if (text === undefined) return null;
  const id = toContentId(text);
  if (id === "") problems.invalid(path, "has no character that a content id may have");
  else if (text.length > CONTENT_ID_CHARACTERS || id.length > ENCODED_ID_CHARACTERS)
    problems.invalid(path, `is longer than ${CONTENT_ID_CHARACTERS} characters`);
  return id;
}
