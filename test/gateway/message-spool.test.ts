// Tests that a mail goes whole through a file, in whichever pieces it comes, and gives its memory
// back (smtp-gateway/src/inbound/message-spool.ts).
import { EventEmitter } from "node:events";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { MessageMemory } from "../../smtp-gateway/src/inbound/message-buffer.ts";
import { MessageSpool } from "../../smtp-gateway/src/inbound/message-spool.ts";

const LIMIT = 1024 * 1024;
const PIECES = 60_000;

function begin(memory = new MessageMemory(LIMIT), stream = new EventEmitter()) {
  const spool = new MessageSpool(memory, LIMIT);
  return { memory, spool, stream, filled: spool.fill(stream as Readable) };
}

describe("a spool", () => {
  it("holds a mail that comes in pieces of three bytes and of many blocks", async () => {
    const { memory, spool, stream, filled } = begin();
    const dots = Buffer.from(".\r\n");
    const long = Buffer.alloc(300_000, "ab");
    for (let piece = 0; piece < PIECES; piece += 1) stream.emit("data", dots);
    stream.emit("data", long);
    stream.emit("data", dots);
    stream.emit("end");
    expect(await filled).toBe("whole");
    const whole = Buffer.concat([Buffer.from(".\r\n".repeat(PIECES)), long, dots]);
    expect(spool.length).toBe(whole.length);
    expect((await buffer(await spool.read())).equals(whole)).toBe(true);
    expect(memory.taken).toBe(0);
    await spool.close();
  });

  it("gives its memory back when the client leaves, or when there is too little for the mail", async () => {
    const left = begin();
    left.stream.emit("data", Buffer.from("abc"));
    left.stream.emit("close");
    expect(await left.filled).toBe("gone");
    await left.spool.close();
    expect(left.memory.taken).toBe(0);
    const short = begin(new MessageMemory(4));
    for (let piece = 0; piece < 3; piece += 1) short.stream.emit("data", Buffer.from("abc"));
    short.stream.emit("end");
    expect(await short.filled).toBe("no room");
    await short.spool.close();
    expect(short.memory.taken).toBe(0);
  });
});
