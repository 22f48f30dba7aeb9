// Makes and reads the links that open one file for an hour without a key: an attachment of a sent
// message (contract.md §Kept content), a file of a reply or its raw mail (contract.md §Replies).
// The signature covers the team, the owner of the file, its number and the time. A stranger may
// have made the file, so browsers save it and never show it.
import { HOUR_MS } from "../limits.ts";
import { openToken, sealToken } from "../lib/crypto/signed-token.ts";
import type { Settings } from "../settings.ts";

/** One kind of links: the first segment of their path, and the purpose of their token. */
export interface FileDoor {
  readonly segment: string;
  readonly purpose: string;
}

export interface FileRef {
  readonly teamNumber: number;
  /** The id of the message or of the reply. */
  readonly ownerId: string;
  /** The number of the file. Null means the raw mail. */
  readonly index: number | null;
}

const VALID_MS = HOUR_MS;

/** The headers of every opened link, in addition to those of `savedAs`. */
export const OPENED_HEADERS = {
  "Content-Type": "application/octet-stream",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex",
};

/** Returns an absolute URL, and the end of its validity in Unix milliseconds. */
export async function fileLink(
  { segment, purpose }: FileDoor,
  { publicUrl, signingKey }: Pick<Settings, "publicUrl" | "signingKey">,
  { teamNumber, ownerId, index }: FileRef,
  now: number,
): Promise<{ readonly url: string; readonly until: number }> {
  const until = now + VALID_MS;
  const body = new TextEncoder().encode(JSON.stringify([teamNumber, ownerId, index, until]));
  return { url: `${publicUrl}/${segment}/${await sealToken(signingKey, purpose, body)}`, until };
}

/** Reads the token of a link. Undefined means that the token is not genuine, or has expired. */
export async function readFileLink(
  { purpose }: FileDoor,
  signingKey: string,
  token: string,
  now: number,
): Promise<FileRef | undefined> {
  const body = await openToken(signingKey, purpose, token);
  if (!body) return undefined;
  const [teamNumber, ownerId, index, until] = JSON.parse(new TextDecoder().decode(body)) as [
    number,
    string,
    number | null,
    number,
  ];
  return until > now ? { teamNumber, ownerId, index } : undefined;
}

/** Returns the header that names a saved file, by RFC 8187. */
export function savedAs(filename: string): Record<string, string> {
  const name = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return { "Content-Disposition": `attachment; filename*=UTF-8''${name}` };
}
