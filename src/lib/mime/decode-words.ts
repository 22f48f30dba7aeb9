// Decodes encoded words (RFC 2047) in linear time, as leniently as mail programs: words inside
// other text, words that contain spaces, and characters that are split across two words. Pure.
import { Buffer } from "node:buffer";
import { decodeBase64 } from "../crypto/base64.ts";
import { NOT_ON_ASCII } from "./charset-text.ts";

export interface DecodedText {
  readonly text: string;
  /**
   * False if a part that looks like an encoded word could not be decoded. Such a part stays
   * unchanged.
   */
  readonly complete: boolean;
}

interface Run {
  readonly start: number;
  end: number;
  readonly charset: string;
  /** The octets that the words encode. Undefined: the words' encoding is broken. */
  readonly bytes: Uint8Array[] | undefined;
}

const WORD = /=\?([^?\s]{1,80})\?([BbQq])\?([^?]*)\?=/g;

/**
 * Decodes the encoded words of a text. If `isForgiving` is true, reads words as lenient mail
 * programs do: a word in an unknown charset as UTF-8 or Windows-1252, and a word that was cut off
 * as far as possible.
 */
export function decodeWords(text: string, isForgiving = false): DecodedText {
  if (!text.includes("=?")) return { text, complete: true };
  let output = "";
  let complete = true;
  let end = 0;
  for (const { start, end: runEnd, charset, bytes } of findRuns(text, isForgiving)) {
    const decoded =
      bytes &&
      (textOf(charset, bytes, true) ?? (isForgiving ? guessText(charset, bytes) : undefined));
    const gap = text.slice(end, start);
    // White space between two encoded words does not belong to the text.
    if (end === 0 || decoded === undefined || gap.trim() !== "") output += gap;
    output += decoded ?? text.slice(start, runEnd);
    complete &&= decoded !== undefined;
    end = runEnd;
  }
  output += text.slice(end);
  return { text: output, complete: complete && !output.includes("=?") };
}

/** Finds runs of adjacent words in one charset, because a character may be split across words. */
function findRuns(text: string, isForgiving: boolean): Run[] {
  const runs: Run[] = [];
  for (const match of text.matchAll(WORD)) {
    const [source, label = "", encoding = "", payload = ""] = match;
    const charset = (label.split("*")[0] ?? "").toLowerCase();
    const bytes = bytesOf(encoding, payload, isForgiving);
    const end = match.index + source.length;
    const run = runs.at(-1);
    if (
      run?.bytes &&
      bytes &&
      run.charset === charset &&
      text.slice(run.end, match.index).trim() === ""
    ) {
      run.bytes.push(bytes);
      run.end = end;
    } else runs.push({ start: match.index, end, charset, bytes: bytes && [bytes] });
  }
  return runs;
}

function bytesOf(encoding: string, payload: string, isForgiving: boolean): Uint8Array | undefined {
  if (encoding === "B" || encoding === "b")
    return decodeBase64(payload) ?? (isForgiving ? Buffer.from(payload, "base64") : undefined);
  const octets = payload
    .replaceAll("_", " ")
    .replace(/=([0-9A-Fa-f]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
  return /[^\0-\u00ff]/.test(octets) ? undefined : Buffer.from(octets, "latin1");
}

function textOf(charset: string, bytes: readonly Uint8Array[], fatal: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal, ignoreBOM: false }).decode(Buffer.concat(bytes));
  } catch {
    return undefined;
  }
}

function guessText(charset: string, bytes: readonly Uint8Array[]): string | undefined {
  if (NOT_ON_ASCII.test(charset)) return undefined;
  return (
    textOf(charset, bytes, false) ??
    textOf("utf-8", bytes, true) ??
    textOf("windows-1252", bytes, true)
  );
}
