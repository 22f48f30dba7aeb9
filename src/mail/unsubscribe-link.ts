// A recipient's unsubscribe link names by itself the recipient, the topic and the sender (contract.md §Unsubscribe pages), since it never expires and
// outlives the message's row.
// version (1 byte) | team uuid (16) | email uuid (16) | recipient, topic, sender, each after its length (1), as a signed token.
import { formatUuid, parseUuid } from "../lib/ids.ts";
import { openToken, sealToken } from "../lib/signed-token.ts";

export interface UnsubscribeRef {
  readonly teamId: string;
  readonly emailId: string;
  /** The address as it was mailed. */
  readonly recipient: string;
  readonly topic: string;
  /** What the page calls the sender: shown, nothing else. Cut to what fits. */
  readonly sender: string;
}

const PURPOSE = "unsubscribe";
const PATH = "/u/";
const VERSION = 1;
const UUID_BYTES = 16;
const TEXTS_START = 1 + 2 * UUID_BYTES;
const SENDER_BYTES = 80;
const TEXT_BYTES = 255;
const TEAM_PREFIX = "team_";
const EMAIL_PREFIX = "email_";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** `publicUrl`: the setting of that name. */
export async function unsubscribeUrl(publicUrl: string, signingKey: string, ref: UnsubscribeRef): Promise<string> {
  return `${publicUrl}${PATH}${await sealToken(signingKey, PURPOSE, bodyOf(ref))}`;
}

/** Whether a link's target is an unsubscribe link of the service's own, whoever's. */
export function isUnsubscribeUrl(publicUrl: string, url: string): boolean {
  return url.startsWith(publicUrl + PATH);
}

/** What a genuine token stands for; undefined for any other text. */
export async function readUnsubscribeToken(signingKey: string, text: string): Promise<UnsubscribeRef | undefined> {
  const body = await openToken(signingKey, PURPOSE, text);
  if (body?.[0] !== VERSION) return undefined;
  const [recipient = "", topic = "", sender = ""] = textsIn(body.subarray(TEXTS_START));
  return {
    teamId: TEAM_PREFIX + formatUuid(body.subarray(1, 1 + UUID_BYTES)),
    emailId: EMAIL_PREFIX + formatUuid(body.subarray(1 + UUID_BYTES, TEXTS_START)),
    recipient,
    topic,
    sender,
  };
}

function bodyOf({ teamId, emailId, recipient, topic, sender }: UnsubscribeRef): Uint8Array {
  const team = parseUuid(teamId.slice(TEAM_PREFIX.length));
  const email = parseUuid(emailId.slice(EMAIL_PREFIX.length));
  if (!team || !email) throw new Error(`not a message's ids: ${teamId} ${emailId}`);
  const texts = [encoder.encode(recipient), encoder.encode(topic), cut(sender, SENDER_BYTES)].flatMap((text) => {
    if (text.length > TEXT_BYTES) throw new Error(`too long for an unsubscribe link of ${emailId}`);
    return [text.length, ...text];
  });
  return Uint8Array.from([VERSION, ...team, ...email, ...texts]);
}

/** At most that many bytes, of whole characters. */
function cut(text: string, limit: number): Uint8Array {
  const bytes = new Uint8Array(limit);
  return bytes.subarray(0, encoder.encodeInto(text, bytes).written);
}

function textsIn(bytes: Uint8Array): string[] {
  const texts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + (bytes[at] ?? 0);
    texts.push(decoder.decode(bytes.subarray(at + 1, end)));
    at = end;
  }
  return texts;
}
