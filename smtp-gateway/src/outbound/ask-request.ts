// Serves one POST /ask (docs/egress-protocol.md §Asking by key), which tells the outcomes of many
// keys at once. The answer does not wait for running deliveries.
import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { Attempts } from "./attempts.ts";
import { isJsonObject, isKey, KEY_MAX_CHARACTERS, parseJson } from "./frames.ts";
import { outcomeLine } from "../outcome.ts";
import { RequestBody } from "./request-body.ts";

const BODY_MAX_BYTES = 4 * 1024 * 1024;
const KEYS_MAX = 10_000;
/** Number of keys after which other work may run, because looking up a key may read the journal. */
const KEYS_PER_TURN = 100;

/**
 * Answers the request. Resolves with null after the whole answer, or with the refusal that the
 * caller has to send.
 */
export async function serveQuestions(
  request: IncomingMessage,
  response: ServerResponse,
  stallMs: number,
  attempts: Attempts,
): Promise<{ status: number; error: string } | null> {
  const body = new RequestBody(request, stallMs);
  const bytes = await readWhole(body);
  body.stop();
  if (bytes === null)
    return body.cut
      ? null
      : { status: 413, error: `the body has more than ${BODY_MAX_BYTES} bytes` };
  const keys = keysOf(bytes);
  if (typeof keys === "string") return { status: 400, error: keys };
  // The client may disconnect at any time, so errors of the response are ignored.
  response.on("error", () => {});
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  for (let at = 0; at < keys.length && !response.destroyed; at += KEYS_PER_TURN) {
    const asked = keys.slice(at, at + KEYS_PER_TURN);
    response.write(asked.map((key) => outcomeLine(key, attempts.ask(key))).join(""));
    await setImmediate();
  }
  response.end();
  return null;
}

/** Reads the body. Returns null if it is too long or incomplete. */
async function readWhole(body: RequestBody): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (let next = await body.next(); next.done !== true; next = await body.next()) {
    size += next.value.length;
    if (size > BODY_MAX_BYTES) return null;
    chunks.push(next.value);
  }
  return body.cut ? null : Buffer.concat(chunks);
}

/** Returns the keys in the body. If the body is malformed, returns the fault. */
function keysOf(bytes: Buffer): readonly string[] | string {
  const body = parseJson(bytes);
  if (!isJsonObject(body)) return "the body must be a JSON object";
  const { keys } = body;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > KEYS_MAX)
    return `keys must be a list of 1 to ${KEYS_MAX} keys`;
  const wrong = keys.findIndex((key) => !isKey(key));
  if (wrong >= 0) return `keys[${wrong}] must be a string of 1 to ${KEY_MAX_CHARACTERS} characters`;
  return keys as string[];
}
