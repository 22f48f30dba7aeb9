// Lists the objects in R2 that belong to a round's messages: kept content (docs/storage.md §Kept
// content), and content that a ledger should have deleted after the last outcome. This file is a
// part of the faulty worker's bundle. It reads the real bucket, so no fault affects it.
import { Buffer } from "node:buffer";
import { gunzipSync } from "node:zlib";

/** The messages of a round that have a final outcome. */
export interface ContentQuery {
  readonly team: string;
  readonly ids: readonly string[];
  /** Beginning of the round, Unix milliseconds. */
  readonly since: number;
}

export type BucketFact = Awaited<ReturnType<typeof readBucket>>;

interface Listed {
  readonly objects: readonly { readonly key: string; readonly uploaded: Date }[];
  readonly truncated: boolean;
  readonly cursor?: string;
}

export interface ContentBucket {
  list(options: { prefix: string; cursor?: string }): Promise<Listed>;
  get(key: string): Promise<{ arrayBuffer(): Promise<ArrayBuffer> } | null>;
}

interface FirstLine {
  readonly metaBytes: number;
  readonly contentBytes: number;
}

const SHOWN_BYTES = 20_000;
const GZIP = Buffer.from([0x1f, 0x8b]);

export async function readBucket(bucket: ContentBucket, { team, ids, since }: ContentQuery) {
  const isOfTeam = (key: string): boolean => key.split("/")[2] === team;
  const asked = new Set(ids);
  const kept = (await keysBelow(bucket, "kept/", since)).filter(isOfTeam).map(async (key) => ({
    emailId: lastPart(key),
    text: await readKept(bucket, key),
  }));
  const content = [
    ...(await keysBelow(bucket, "content/", since)),
    ...(await keysBelow(bucket, "scheduled/", since)),
  ];
  return { kept: await Promise.all(kept), left: content.filter((key) => asked.has(lastPart(key))) };
}

/** Lists the keys that were written since `since`. */
async function keysBelow(bucket: ContentBucket, prefix: string, since: number): Promise<string[]> {
  const keys: string[] = [];
  let cursor: string | undefined;
  do {
    const listed = await bucket.list({ prefix, ...(cursor !== undefined && { cursor }) });
    keys.push(
      ...listed.objects.filter(({ uploaded }) => uploaded.getTime() >= since).map(({ key }) => key),
    );
    cursor = listed.truncated ? listed.cursor : undefined;
  } while (cursor !== undefined);
  return keys;
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

/**
 * Returns the beginning of an object, which has the message's subject and its text. Returns null if
 * the object's length differs from the length in its first line.
 */
async function readKept(bucket: ContentBucket, key: string): Promise<string | null> {
  const object = await bucket.get(key);
  if (object === null) return null;
  const given = Buffer.from(await object.arrayBuffer());
  try {
    const bytes = given.subarray(0, GZIP.length).equals(GZIP) ? gunzipSync(given) : given;
    const end = bytes.indexOf("\n") + 1;
    const { metaBytes, contentBytes } = JSON.parse(bytes.toString("utf8", 0, end)) as FirstLine;
    const isWhole = bytes.length === end + metaBytes + contentBytes;
    return isWhole ? bytes.toString("utf8", end, end + SHOWN_BYTES) : null;
  } catch {
    return null;
  }
}
