// Tests how the bytes of a session are divided into commands (smtp-gateway/src/inbound).
import { fc } from "../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { SMTPStream } from "smtp-server/lib/smtp-stream.js";
import { CommandStream } from "../../../smtp-gateway/src/inbound/command-stream.ts";

/** Returns the commands in the chunks, without the rest after the last line end. */
async function commandsIn(chunks: readonly string[]): Promise<string[]> {
  const commands: string[] = [];
  const stream = new CommandStream();
  stream.oncommand = (command, next) => {
    commands.push(command.toString("latin1"));
    next?.();
  };
  for (const chunk of chunks)
    await new Promise((resolve) => void stream.write(Buffer.from(chunk, "latin1"), resolve));
  return commands;
}

describe("a command", () => {
  it("ends only at CRLF, however its bytes are divided into chunks", async () => {
    const piece = fc.constantFrom("\n", "\r", "\r\n", "NOOP", "\xe9", " ");
    const chunk = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 6 }), async (chunks) => {
        const lines = chunks.join("").split("\r\n").slice(0, -1);
        expect(await commandsIn(chunks)).toEqual(lines.map((line) => line.replaceAll("\n", "\0")));
      }),
    );
  });
});

/** Returns the message in the chunks, and whether it ended. */
async function messageIn(stream: SMTPStream, chunks: readonly string[]) {
  const pieces: Buffer[] = [];
  let isOver = false;
  stream.oncommand = (_, next) => next?.();
  const data = stream.startDataMode();
  data.on("data", (piece: Buffer) => pieces.push(piece));
  data.once("end", () => {
    isOver = true;
    setImmediate(() => stream.continue());
  });
  for (const chunk of chunks)
    await new Promise((resolve) => void stream.write(Buffer.from(chunk, "latin1"), resolve));
  return { text: Buffer.concat(pieces).toString("latin1"), isOver };
}

describe("a message", () => {
  it("is the one that smtp-server's own parser reads, however its bytes are divided", async () => {
    const piece = fc.constantFrom(
      ".",
      ".",
      "..",
      "\r\n",
      "\r\n",
      "\n",
      "\r",
      "a",
      "\r\n.\r\n",
      "\r\n..",
    );
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
    const cuts = fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(text, cuts, async (whole, lengths) => {
        const chunks: string[] = [];
        for (let at = 0; at < whole.length;) {
          const length = lengths[chunks.length % lengths.length]! + 1;
          chunks.push(whole.slice(at, at + length));
          at += length;
        }
        const own = await messageIn(new CommandStream(), chunks);
        expect([chunks, own]).toEqual([chunks, await messageIn(new SMTPStream(), chunks)]);
      }),
      { numRuns: 400 },
    );
  });
});
