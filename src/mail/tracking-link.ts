// Makes the links by which a copy reports opens and clicks (docs/tracking.md): `/o/<token>` and `/c/<token>` on the sender's tracking host. A token
// is good on the host it was made for and nowhere else, so that no host can be made to redirect to what its owner never mailed (decision 0007).
// version (1 byte) | team uuid (16) | email uuid (16) | recipient index (1) | the link's target in UTF-8, as a signed token.
import { formatUuid, parseUuid } from "../lib/ids.ts";
import { openToken, sealToken } from "../lib/signed-token.ts";

/** One recipient's copy of a message. */
export interface CopyRef {
  readonly teamId: string;
  readonly emailId: string;
  readonly recipientIndex: number;
}

/** What a tracked link stands for. */
export interface TrackedRef extends CopyRef {
  /** Where the link leads; "" for the pixel. */
  readonly url: string;
}

/** Also the token's purpose, and its path. */
export type TrackedKind = "c" | "o";

const PURPOSES: Readonly<Record<TrackedKind, string>> = { c: "click", o: "open" };
const VERSION = 1;
const UUID_BYTES = 16;
const URL_START = 2 + 2 * UUID_BYTES;
const TEAM_PREFIX = "team_";
const EMAIL_PREFIX = "email_";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** `host`: the tracking host, lower case. `ref.url` is not looked at: whoever asks for a click's link answers for where it leads. */
export async function trackingUrl(signingKey: string, host: string, kind: TrackedKind, ref: TrackedRef): Promise<string> {
  return `https://${host}/${kind}/${await sealToken(signingKey, PURPOSES[kind], bodyOf(ref), host)}`;
}

/** What a genuine token stands for on this host; undefined for any other text. */
export async function readTrackingToken(
  signingKey: string,
  host: string,
  kind: TrackedKind,
  text: string,
): Promise<TrackedRef | undefined> {
  const body = await openToken(signingKey, PURPOSES[kind], text, host);
  if (body?.[0] !== VERSION) return undefined;
  return {
    teamId: TEAM_PREFIX + formatUuid(body.subarray(1, 1 + UUID_BYTES)),
    emailId: EMAIL_PREFIX + formatUuid(body.subarray(1 + UUID_BYTES, URL_START - 1)),
    recipientIndex: body[URL_START - 1] ?? 0,
    url: decoder.decode(body.subarray(URL_START)),
  };
}

function bodyOf({ teamId, emailId, recipientIndex, url }: TrackedRef): Uint8Array {
  const team = parseUuid(teamId.slice(TEAM_PREFIX.length));
  const email = parseUuid(emailId.slice(EMAIL_PREFIX.length));
  if (!team || !email) throw new Error(`not a message's ids: ${teamId} ${emailId}`);
  const target = encoder.encode(url);
  const body = new Uint8Array(URL_START + target.length);
  body.set([VERSION, ...team, ...email, recipientIndex]);
  body.set(target, URL_START);
  return body;
}
