// Writes the raw mail of a reply to R2 while it is scanned, so that it is never in memory as a
// whole (docs/storage.md §Replies). Reads the header before it writes, because the reply's id comes
// from the header.
import type { Env } from "../../../env.ts";
import type { SenderChecks } from "../../../resources/replies/reply-records.ts";
import { PartScanner } from "./part-scanner.ts";

/** A mail that arrives at a reply address. */
export interface IncomingReply {
  readonly stream: ReadableStream<Uint8Array>;
  readonly bytes: number;
  /** The reply address, as the envelope names it. */
  readonly address: string;
  /** True if the envelope has the sender `<>`. */
  readonly isSenderNull: boolean;
  readonly verdicts: SenderChecks;
}

/** A mail whose header is read, and whose body is not read yet. */
export interface OpenedMail {
  readonly scanner: PartScanner;
  readonly head: readonly Uint8Array[];
  readonly rest: ReadableStreamDefaultReader<Uint8Array>;
  readonly bytes: number;
}

/** Reads a mail until its header is complete. Undefined means that the header is too long. */
export async function openMail(
  stream: ReadableStream<Uint8Array>,
  bytes: number,
): Promise<OpenedMail | undefined> {
  const scanner = new PartScanner();
  const rest = stream.getReader();
  const head: Uint8Array[] = [];
  while (!scanner.header) {
    const { done, value } = await rest.read();
    if (done) scanner.finish();
    else {
      scanner.feed(value);
      head.push(value);
    }
    if (!scanner.isHeaderTooLong) continue;
    await rest.cancel();
    return undefined;
  }
  return { scanner, head, rest, bytes };
}

/**
 * Stores the mail under the key, and scans the rest of it. Throws if it does not have `bytes`
 * bytes.
 */
export async function storeRaw(
  env: Env,
  key: string,
  { scanner, head, rest, bytes }: OpenedMail,
): Promise<void> {
  const { readable, writable } = new FixedLengthStream(bytes);
  const put = env.CONTENT.put(key, readable);
  const writer = writable.getWriter();
  const copy = async (): Promise<void> => {
    for (const chunk of head) await writer.write(chunk);
    for (;;) {
      const { done, value } = await rest.read();
      if (done) break;
      scanner.feed(value);
      await writer.write(value);
    }
    scanner.finish();
    await writer.close();
  };
  await Promise.all([put, copy()]);
}
