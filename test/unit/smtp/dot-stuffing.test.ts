// Tests the bytes that the client sends after DATA (smtp-gateway/src/smtp/dot-stuffing.ts), read
// back as a server reads them.
import { Buffer } from "node:buffer";
import { fc } from "../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { DotStuffer, stuffDots } from "../../../smtp-gateway/src/smtp/dot-stuffing.ts";
import { DOTTED_MESSAGES } from "../../support/dotted-messages.ts";

/** Stuffs in chunks of `size` bytes. */
function stuffChunks(message: Uint8Array, size: number): string {
  const stuffer = new DotStuffer();
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < message.length; at += size)
    pieces.push(stuffer.stuff(message.subarray(at, at + size)));
  return Buffer.concat([...pieces, stuffer.end()]).toString("latin1");
}

/**
 * Reads what a client sent after DATA as a server does. Returns the message without dot-stuffing,
 * and what follows the end of the message.
 */
function readAsServer(wire: string): { message: string; rest: string } {
  const end = wire.startsWith(".\r\n") ? 0 : wire.indexOf("\r\n.\r\n") + 2;
  return { message: wire.slice(0, end).replace(/(^|\r\n)\./g, "$1"), rest: wire.slice(end + 3) };
}

describe("dot-stuffing", () => {
  it.each(DOTTED_MESSAGES)("lets a server read %s as it was", (_name, message, read = message) => {
    const wire = Buffer.from(stuffDots(Buffer.from(message, "latin1"))).toString("latin1");
    expect(readAsServer(wire)).toEqual({ message: read, rest: "" });
  });

  it.each(DOTTED_MESSAGES)("gives the same bytes for %s however it is cut", (_name, message) => {
    const bytes = Buffer.from(message, "latin1");
    const whole = stuffChunks(bytes, Math.max(bytes.length, 1));
    for (const size of [1, 2, 3, 4, 5, 7]) expect(stuffChunks(bytes, size)).toBe(whole);
  });

  it("ends the data nowhere but at its end, whatever the message holds", () => {
    const text = fc
      .array(fc.constantFrom("\r", "\n", ".", "a", "\r\n", "\r\n.\r\n"), { maxLength: 40 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (message, size) => {
        const wire = stuffChunks(Buffer.from(message), size);
        expect(wire).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
        expect(readAsServer(wire).rest).toBe("");
      }),
    );
  });

  it("returns a chunk itself when nothing has to change", () => {
    const chunk = Buffer.from("no dots here\r\n");
    expect(new DotStuffer().stuff(chunk)).toBe(chunk);
  });
});
