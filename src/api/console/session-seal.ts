// Signs the content of the console's cookies and links (contract.md §Console sessions): ids and an
// expiry time, never a key. Each kind of cookie or link has its own signing purpose, so one kind is
// never accepted as another.
import { openToken, sealToken } from "../../lib/crypto/signed-token.ts";
import { formatUuid, parseUuid } from "../../lib/ids.ts";
import type { Settings } from "../../settings.ts";

/**
 * The content of a team's session or sign-in link. The session or link also ends when its API key
 * is deleted.
 */
export interface SealedKey {
  /** The UUID of the session or of the link. */
  readonly id: string;
  readonly teamId: string;
  readonly keyId: string;
  /** When the session or link ends, in Unix milliseconds. */
  readonly expiresAt: number;
}

/** The content of a person's session. The session also ends when the member is removed. */
export interface SealedMember {
  /** The UUID of the session. */
  readonly id: string;
  readonly teamId: string;
  readonly memberId: string;
  /** When the session ends, in Unix milliseconds. */
  readonly expiresAt: number;
}

/** The content of an invitation's link. */
export interface SealedInvitation {
  readonly id: string;
  readonly teamId: string;
  /** When the invitation ends, in Unix milliseconds. */
  readonly expiresAt: number;
}

type Purpose = "console session" | "console link";
type AnyPurpose = Purpose | "person session" | "console invitation";

const OPERATOR = "operator session";
const UUID_BYTES = 16;
const TIME_BYTES = 8;

export async function sealKey(
  settings: Settings,
  purpose: Purpose,
  { id, teamId, keyId, expiresAt }: SealedKey,
): Promise<string> {
  return seal(settings, purpose, [id, teamId, keyId], expiresAt);
}

export async function sealMember(
  settings: Settings,
  { id, teamId, memberId, expiresAt }: SealedMember,
): Promise<string> {
  return seal(settings, "person session", [id, teamId, memberId], expiresAt);
}

export async function sealInvitation(
  settings: Settings,
  { id, teamId, expiresAt }: SealedInvitation,
): Promise<string> {
  return seal(settings, "console invitation", [id, teamId, id], expiresAt);
}

/**
 * Returns the content of a key's session or link. Undefined: the text is not genuine, or has
 * expired.
 */
export async function openKey(
  settings: Settings,
  purpose: Purpose,
  text: string,
  now: number,
): Promise<SealedKey | undefined> {
  const opened = await open(settings, purpose, text, now);
  return opened && { ...opened.common, keyId: `key_${opened.third}` };
}

/**
 * Returns the content of a person's session. Undefined: the text is not genuine, or has expired.
 */
export async function openMember(
  settings: Settings,
  text: string,
  now: number,
): Promise<SealedMember | undefined> {
  const opened = await open(settings, "person session", text, now);
  return opened && { ...opened.common, memberId: `member_${opened.third}` };
}

/**
 * Returns the content of an invitation's link. Undefined: the text is not genuine, or has expired.
 */
export async function openInvitation(
  settings: Settings,
  text: string,
  now: number,
): Promise<SealedInvitation | undefined> {
  const opened = await open(settings, "console invitation", text, now);
  return opened && { ...opened.common, id: `invitation_${opened.third}` };
}

/**
 * Signs an operator's session. The signature includes the ADMIN_TOKEN, so a new token ends the
 * session.
 */
export async function sealOperator(settings: Settings, expiresAt: number): Promise<string> {
  const { signingKey, adminToken } = settings;
  if (adminToken === null) throw new Error("an operator's session needs the ADMIN_TOKEN");
  const id = bytesOf(crypto.randomUUID());
  return sealToken(signingKey, OPERATOR, concat([id, timeBytes(expiresAt)]), adminToken);
}

/**
 * Returns when an operator's session ends, in Unix milliseconds. Undefined: the session is not
 * genuine, or has expired.
 */
export async function openOperator(
  { signingKey, adminToken }: Settings,
  text: string,
  now: number,
): Promise<number | undefined> {
  if (adminToken === null) return undefined;
  const body = await openToken(signingKey, OPERATOR, text, adminToken);
  if (body?.length !== UUID_BYTES + TIME_BYTES) return undefined;
  const expiresAt = timeOf(body.subarray(UUID_BYTES));
  return expiresAt > now ? expiresAt : undefined;
}

function seal(
  { signingKey }: Settings,
  purpose: AnyPurpose,
  ids: readonly string[],
  expiresAt: number,
): Promise<string> {
  const bytes = ids.map((id) => bytesOf(uuidOf(id)));
  return sealToken(signingKey, purpose, concat([...bytes, timeBytes(expiresAt)]));
}

async function open({ signingKey }: Settings, purpose: AnyPurpose, text: string, now: number) {
  const body = await openToken(signingKey, purpose, text);
  if (body?.length !== 3 * UUID_BYTES + TIME_BYTES) return undefined;
  const uuid = (index: number) =>
    formatUuid(body.subarray(index * UUID_BYTES, (index + 1) * UUID_BYTES));
  const expiresAt = timeOf(body.subarray(3 * UUID_BYTES));
  if (expiresAt <= now) return undefined;
  return { common: { id: uuid(0), teamId: `team_${uuid(1)}`, expiresAt }, third: uuid(2) };
}

/** Returns the UUID in an id such as `team_<uuid>`. */
function uuidOf(id: string): string {
  return id.slice(id.indexOf("_") + 1);
}

function bytesOf(uuid: string): Uint8Array {
  const bytes = parseUuid(uuid);
  if (!bytes) throw new Error("the session contains an id that is not a UUID");
  return bytes;
}

function timeBytes(time: number): Uint8Array {
  const bytes = new Uint8Array(TIME_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(time));
  return bytes;
}

function timeOf(bytes: Uint8Array): number {
  return Number(new DataView(bytes.buffer, bytes.byteOffset, TIME_BYTES).getBigUint64(0));
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
