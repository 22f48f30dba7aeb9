// Accepts mail at return-paths (contract.md §Returned mail), from the gateway and from Email
// Routing. The token must be genuine and recent, and the size limits are checked before the message
// is parsed. A message that passes is accepted even if it has no effect.
import { Buffer } from "node:buffer";
import type { Env } from "../../env.ts";
import { logInfo } from "../../lib/log.ts";
import {
  REPORT_BOUNDARY_LINES,
  REPORT_BYTES,
  REPORT_HEADER_BYTES,
  RETURN_PATH_LIFETIME_MS,
} from "../../limits.ts";
import { earliestRelease, type RecipientRef } from "../recipient-ref.ts";
import { readToken } from "../token.ts";
import { applyReport } from "./consequences.ts";
import { readLoopReport } from "./loop-report.ts";
import { settingsOf } from "../../settings.ts";
import { readReport } from "./report.ts";

/**
 * Result of receiving a message. `problem` is the rest of a sentence that begins with "the
 * message".
 */
export type Receipt =
  | { readonly kind: "taken"; readonly about: RecipientRef }
  | { readonly kind: "unknown" }
  | { readonly kind: "too_large" }
  | { readonly kind: "refused"; readonly problem: string };

const RETURN_PATH = /^b\+([a-z2-7]{61})@bounces\.[^@]+$/i;
/** A line that the final mail server adds to a message (RFC 5321 §4.4). */
const NULL_RETURN_PATH = Buffer.from("Return-Path: <>\r\n");

const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;

/**
 * Returns the token of an address. Undefined means that the address does not have the form of a
 * return-path.
 */
export function tokenOf(address: string): string | undefined {
  return RETURN_PATH.exec(address)?.[1];
}

/**
 * Returns the recipient whose return-path has this token. Undefined means that this service did not
 * make the token, or that its message was released more than 30 days before `now` (Unix
 * milliseconds).
 */
export async function recipientOf(
  env: Env,
  token: string,
  now: number,
): Promise<RecipientRef | undefined> {
  const about = await readToken(settingsOf(env).signingKey, "return-path", token);
  if (!about) return undefined;
  return now - earliestRelease(about) <= RETURN_PATH_LIFETIME_MS ? about : undefined;
}

/**
 * Receives the message `raw` at the return-path with this token. `isSenderNull` is true if its
 * envelope sender was `<>`. Throws if the result cannot be recorded now. The caller then submits
 * the message again.
 */
export async function receiveReport(
  env: Env,
  token: string,
  raw: Uint8Array,
  now: number,
  isSenderNull = false,
): Promise<Receipt> {
  const about = await recipientOf(env, token, now);
  if (!about) return { kind: "unknown" };
  if (raw.length > REPORT_BYTES) return { kind: "too_large" };
  const problem = problemOf(raw);
  if (problem !== undefined) return { kind: "refused", problem };
  const report = readReport(isSenderNull ? addNullReturnPath(raw) : raw);
  if (report) await applyReport(env, report, about, now);
  return { kind: "taken", about };
}

/**
 * Receives mail from a provider's feedback loop. Only a complaint about a message with a genuine
 * token has an effect. Throws if the result cannot be recorded now, like receiveReport().
 */
export async function receiveFeedback(
  env: Env,
  raw: Uint8Array,
  now: number,
): Promise<"taken" | "too_large"> {
  if (raw.length > REPORT_BYTES) return "too_large";
  const loop = problemOf(raw) === undefined ? readLoopReport(raw) : undefined;
  for (const token of loop?.tokens ?? []) {
    const about = await recipientOf(env, token, now);
    if (!about || !loop) continue;
    await applyReport(env, loop.report, about, now);
    return "taken";
  }
  logInfo("feedback_ignored", { bytes: raw.length, tokens: loop?.tokens.length ?? 0 });
  return "taken";
}

/**
 * Puts `Return-Path: <>` before the message. Leaves a message unchanged that begins with mbox's
 * From line, which is valid only as the first line.
 */
function addNullReturnPath(raw: Uint8Array): Uint8Array {
  const start = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.length, 6)).toString("latin1");
  return /^>?From /.test(start) ? raw : Buffer.concat([NULL_RETURN_PATH, raw]);
}

/**
 * Returns the reason why the message must not be parsed, as the rest of a sentence that begins with
 * "the message". Undefined means that it may be parsed.
 */
function problemOf(raw: Uint8Array): string | undefined {
  if (headerBytesOf(raw) > REPORT_HEADER_BYTES)
    return `has a header of more than ${REPORT_HEADER_BYTES} bytes`;
  return hasTooManyBoundaries(raw)
    ? `has more than ${REPORT_BOUNDARY_LINES} lines that may be boundaries`
    : undefined;
}

/** Counts the bytes before the first empty line, for every kind of line end. */
function headerBytesOf(raw: Uint8Array): number {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const ends = ["\r\n\r\n", "\n\n", "\r\r"]
    .map((end) => bytes.indexOf(end))
    .filter((at) => at >= 0);
  return Math.min(raw.length, ...ends);
}

function hasTooManyBoundaries(raw: Uint8Array): boolean {
  let lines = 0;
  for (let index = 0; index + 1 < raw.length; index += 1) {
    if (raw[index] !== DASH || raw[index + 1] !== DASH) continue;
    const before = raw[index - 1];
    if (index === 0 || before === LF || before === CR) lines += 1;
  }
  return lines > REPORT_BOUNDARY_LINES;
}
