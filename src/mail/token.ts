// Signed recipient tokens (contract.md §Return-paths): a return-path carries one, so that a bounce finds its message and a stranger cannot invent one.
// version (1 byte) | shard (1) | email uuid (16) | recipient index (1) | HMAC-SHA-256 truncated to 16 bytes, in base32: 56 characters.
import { decodeBase32, encodeBase32 } from "../lib/base32.ts";
import { equalInConstantTime, sign } from "../lib/crypto.ts";
import { formatUuid, parseUuid } from "../lib/ids.ts";

export interface RecipientRef {
  readonly historyShard: number;
  readonly emailId: string;
  readonly recipientIndex: number;
}

const VERSION = 1;
const BODY_BYTES = 19;
const MAC_BYTES = 16;
const EMAIL_PREFIX = "email_";

/** A token for one use (`purpose`), e.g. "return-path". */
export async function mintToken(signingKey: string, purpose: string, ref: RecipientRef): Promise<string> {
  const uuid = parseUuid(ref.emailId.slice(EMAIL_PREFIX.length));
  if (!uuid) throw new Error(`not an email id: ${ref.emailId}`);
  const body = new Uint8Array(BODY_BYTES);
  body.set([VERSION, ref.historyShard]);
  body.set(uuid, 2);
  body[BODY_BYTES - 1] = ref.recipientIndex;
  const token = new Uint8Array(BODY_BYTES + MAC_BYTES);
  token.set(body);
  token.set((await sign(signingKey, purpose, body)).subarray(0, MAC_BYTES), BODY_BYTES);
  return encodeBase32(token);
}

/** What a genuine token stands for, in whatever case it comes back; undefined for any other text. */
export async function readToken(signingKey: string, purpose: string, text: string): Promise<RecipientRef | undefined> {
  const token = decodeBase32(text);
  if (token?.length !== BODY_BYTES + MAC_BYTES || token[0] !== VERSION) return undefined;
  const body = token.subarray(0, BODY_BYTES);
  const mac = (await sign(signingKey, purpose, body)).subarray(0, MAC_BYTES);
  if (!equalInConstantTime(mac, token.subarray(BODY_BYTES))) return undefined;
  return {
    historyShard: token[1] ?? 0,
    emailId: EMAIL_PREFIX + formatUuid(token.subarray(2, 18)),
    recipientIndex: token[BODY_BYTES - 1] ?? 0,
  };
}
