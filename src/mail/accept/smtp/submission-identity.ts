// Makes the facts by which the ledger recognises a repetition of a message by SMTP under its
// idempotency key (docs/smtp.md §Repetitions). A program that sends a message again writes a new
// Date, Message-ID and boundary, so the facts describe the message's meaning, and not its octets.
// Pure, except for the digests.
import { Buffer } from "node:buffer";
import { sha256Hex } from "../../../lib/crypto/crypto.ts";
import { textInCharset } from "../../../lib/mime/charset-text.ts";
import { decodeWords } from "../../../lib/mime/decode-words.ts";
import { toLatin1 } from "../../../lib/mime/octet-edits.ts";
import { decodeBody, isDecodable } from "../../../lib/mime/part-body.ts";
import { fileNameIn } from "../../../lib/mime/part-name.ts";
import { type Entity, entitiesOf } from "../../../lib/mime/parts.ts";
import { runInSteps, yieldAfter } from "../../../lib/step-scheduler.ts";
import type { SubmissionIdentity } from "../../../rpc/submission-calls.ts";
import { type HeaderField, type HeaderSection, valuesOf } from "./header-section.ts";
import { isOptionHeader } from "./misnamed-options.ts";
import { IDEMPOTENCY_KEY } from "./smtp-options.ts";
import type { SubmissionFrame } from "./submission-frame.ts";

type Header = Extract<HeaderSection, { kind: "header" }>;

/** Fields that mail servers add on the way (RFC 5322 §3.6.7). */
const TRACE = new Set(["received", "return-path"]);
const BLANKS = /[ \t\r\n]+/g;

/**
 * Returns the identity of a message. `message` is the whole message with CRLF line ends. `header`
 * is its header, as it was read.
 */
export async function identityOf(
  { mailFrom, recipients }: Pick<SubmissionFrame, "mailFrom" | "recipients">,
  message: Uint8Array,
  { fields, body }: Header,
): Promise<SubmissionIdentity> {
  const to = [...new Set(recipients.map((address) => address.trim().toLowerCase()))].sort();
  const facts = [
    mailFrom,
    to,
    textsOf(fields, "from"),
    textsOf(fields, "subject").slice(0, 1),
    optionsIn(fields),
    await partFacts(message),
  ];
  return {
    content: await sha256Hex(JSON.stringify(facts)),
    octets: await sha256Hex(withoutTrace(fields, body)),
    recipients: to,
  };
}

function textsOf(fields: readonly HeaderField[], lowerName: string): string[] {
  return valuesOf(fields, lowerName).map((value) =>
    decodeWords(value).text.replace(BLANKS, " ").trim(),
  );
}

/** Returns the options except the idempotency key. Order counts only among headers of one name. */
function optionsIn(fields: readonly HeaderField[]): (readonly [name: string, value: string])[] {
  return fields
    .filter(({ lowerName }) => isOptionHeader(lowerName) && lowerName !== IDEMPOTENCY_KEY)
    .map(({ lowerName, value }) => [lowerName, decodeWords(value).text.trim()] as const)
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
}

/**
 * Returns text parts by their text, and all other parts by name and octets, in their order. An
 * attached message counts as one file.
 */
async function partFacts(message: Uint8Array): Promise<(readonly string[])[]> {
  const facts: (readonly string[])[] = [];
  let end = 0;
  for (const entity of entitiesOf(message)) {
    const isFile = entity.type === "message/rfc822" || entity.parts.length === 0;
    if (!isFile || entity.headerStart < end) continue;
    end = entity.end;
    facts.push(await factsOfPart(message, entity));
  }
  return facts;
}

async function factsOfPart(message: Uint8Array, entity: Entity): Promise<readonly string[]> {
  const { headerStart, headerEnd, bodyStart, end, type, encoding, charset, isNamed } = entity;
  const body = message.subarray(bodyStart, end);
  const octets = isDecodable(encoding) ? await runInSteps(decodeBody(body, encoding)) : body;
  await yieldAfter(octets.length);
  if (!type.startsWith("text/") || isNamed) {
    const name = fileNameIn(toLatin1(message.subarray(headerStart, headerEnd)));
    return ["file", name, await sha256Hex(octets)];
  }
  const text = textInCharset(
    Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength),
    charset,
  );
  return [type, await sha256Hex(text?.replaceAll("\r\n", "\n").trimEnd() ?? octets)];
}

/**
 * Returns the message as it was written, without the fields that differ from one transmission to
 * another.
 */
function withoutTrace(fields: readonly HeaderField[], body: Uint8Array): Uint8Array {
  const kept = fields.filter(({ lowerName }) => !TRACE.has(lowerName));
  const header = kept.map(({ lines }) => `${lines.join("\r\n")}\r\n`).join("");
  return Buffer.concat([Buffer.from(`${header}\r\n`, "latin1"), body]);
}
