// What arrives at a return-path (contract.md §Returned mail), from the gateway and from Email
// Routing alike: only at a genuine token that is not too old, and within limits that hold before
// anything reads it. Whatever it is then is taken, also when nothing comes of it.
import { Buffer } from "node:buffer";
import type { Env } from "../../env.ts";
import { timeOfUuidv7 } from "../../lib/ids.ts";
import { logInfo } from "../../lib/log.ts";
import {
  REPORT_BOUNDARY_LINES,
  REPORT_BYTES,
  REPORT_HEADER_BYTES,
  RETURN_PATH_LIFETIME_MS,
} from "../../limits.ts";
import { type RecipientRef, startOfRelease } from "../recipient-ref.ts";
import { readToken } from "../token.ts";
import { actOn } from "./consequences.ts";
import { readLoopReport } from "./loop-report.ts";
import { settingsOf } from "../../settings.ts";
import { readReport } from "./report.ts";

/** `problem` goes on from "the message". */
export type Receipt =
  | { readonly kind: "taken"; readonly about: RecipientRef }
  | { readonly kind: "unknown" }
  | { readonly kind: "too_large" }
  | { readonly kind: "refused"; readonly problem: string };

const RETURN_PATH = /^b\+([a-z2-7]{61})@bounces\.[^@]+$/i;
const EMAIL_PREFIX = "email_";
/** The line that whoever delivers a message at last puts before it (RFC 5321 §4.4). */
const NULL_RETURN_PATH = Buffer.from("Return-Path: <>\r\n");

const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;

/** The token of an address that looks like a return-path. */
export function tokenOf(address: string): string | undefined {
  return RETURN_PATH.exec(address)?.[1];
}

/**
 * Whose return-path it is; undefined for a token that is not ours, or of a message that was
 * released more than 30 days before `now` (Unix milliseconds).
 */
export async function recipientOf(
  env: Env,
  token: string,
  now: number,
): Promise<RecipientRef | undefined> {
  const about = await readToken(settingsOf(env).signingKey, "return-path", token);
  if (!about) return undefined;
  const released = Math.max(
    timeOfUuidv7(about.emailId.slice(EMAIL_PREFIX.length)),
    startOfRelease(about),
  );
  return now - released <= RETURN_PATH_LIFETIME_MS ? about : undefined;
}

/**
 * Takes the message `raw` that came to the token's return-path, from a sender or from none (`MAIL
 * FROM:<>`). Throws when what comes of it can't be recorded now: it is to be given again.
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
  const report = readReport(isSenderNull ? withReturnPath(raw) : raw);
  if (report) await actOn(env, report, about, now);
  return { kind: "taken", about };
}

/**
 * Takes what came by a provider's feedback loop: the complaint of a message with a genuine token in
 * it, and nothing else. Throws likewise.
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
    await actOn(env, loop.report, about, now);
    return "taken";
  }
  logInfo("feedback_ignored", { bytes: raw.length, tokens: loop?.tokens.length ?? 0 });
  return "taken";
}

/**
 * The message with its null return-path before it, unless mbox's line begins it, which only the
 * first may be.
 */
function withReturnPath(raw: Uint8Array): Uint8Array {
  const start = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.length, 6)).toString("latin1");
  return /^>?From /.test(start) ? raw : Buffer.concat([NULL_RETURN_PATH, raw]);
}

/** Why nothing is to read it, going on from "the message"; undefined: it may be read. */
function problemOf(raw: Uint8Array): string | undefined {
  if (headerBytes(raw) > REPORT_HEADER_BYTES)
    return `has a header of more than ${REPORT_HEADER_BYTES} bytes`;
  return hasTooManyBoundaries(raw)
    ? `has more than ${REPORT_BOUNDARY_LINES} lines that may be boundaries`
    : undefined;
}

/** Up to the first empty line, whatever ends a line here. */
function headerBytes(raw: Uint8Array): number {
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
