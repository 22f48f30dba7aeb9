// Tests how the bytes of a session are divided into commands (smtp-gateway/src/inbound).
import { fc } from "../../support/properties.ts";
import { describe, expect, it } from "vitest";
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
