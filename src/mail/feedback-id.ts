// Makes the Feedback-ID of a message (docs/complaints.md). Gmail counts complaints by each part of
// a Feedback-ID. The recipient can read it, so campaign, topic and team are hashes with a key of
// the service, and never in clear text (contract.md §Labels). Campaigns of the same name in two
// teams have different hashes, so Gmail counts them separately.
import { sign, toHex } from "../lib/crypto/crypto.ts";
import { BoundedCache } from "../lib/bounded-cache.ts";
import { HOUR_MS } from "../limits.ts";
import type { Settings } from "../settings.ts";
import type { Message } from "./message.ts";

const HASH_CHARACTERS = 12;
const HASHES_CACHED = 5_000;

const hashes = new BoundedCache<string>(HASHES_CACHED, HOUR_MS);
const encoder = new TextEncoder();

/**
 * Returns `<campaign>:<topic>:<team>:<service name>`. A hash has twelve characters. The part of a
 * missing campaign or topic is empty.
 */
export async function feedbackIdOf(
  { campaign, topic, teamId }: Pick<Message, "campaign" | "topic" | "teamId">,
  { signingKey, serviceName }: Pick<Settings, "signingKey" | "serviceName">,
): Promise<string> {
  const hashOf = async (part: string, value: string | null): Promise<string> =>
    value === null || value === "" ? "" : hash(signingKey, `${teamId}\0${part}\0${value}`);
  const parts = [hashOf("campaign", campaign), hashOf("topic", topic), hashOf("team", teamId)];
  return [...(await Promise.all(parts)), serviceName].join(":");
}

async function hash(signingKey: string, data: string): Promise<string> {
  const now = Date.now();
  const key = `${signingKey}\0${data}`;
  const known = hashes.get(key, now);
  if (known !== undefined) return known;
  const mac = await sign(signingKey, "feedback-id", encoder.encode(data));
  const made = toHex(mac).slice(0, HASH_CHARACTERS);
  hashes.set(key, made, now);
  return made;
}
