// The lower bound of `bench deliver`: ten connections that send one signed message again and again
// and do nothing else. Each message costs two round trips: first MAIL, RCPT and DATA together, then
// the message.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { serveCommands } from "../../harness/command-loop.ts";

const CONNECTIONS = 10;
const MESSAGES_PER_CONNECTION = 100;

const port = Number(process.env["BENCH_SINK_PORT"]);
const bytes = Buffer.from(process.env["BENCH_MESSAGE"] ?? "", "base64");
const ENVELOPE =
  "MAIL FROM:<b+token@bounces.bench.example>\r\nRCPT TO:<someone@recipient.example>\r\nDATA\r\n";
const MESSAGE = Buffer.concat([
  bytes,
  Buffer.from(bytes.subarray(-2).toString() === "\r\n" ? ".\r\n" : "\r\n.\r\n"),
]);

async function send(messages: number): Promise<object> {
  let left = messages;
  const take = (): boolean => left-- > 0;
  await Promise.all(Array.from({ length: CONNECTIONS }, () => sendWhile(take)));
  return {};
}

async function sendWhile(take: () => boolean): Promise<void> {
  for (let more = take(); more;) {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    const replies = repliesOf(socket);
    await expect(replies, 220);
    socket.write("EHLO bench.example\r\n");
    await expect(replies, 250);
    for (let sent = 0; more && sent < MESSAGES_PER_CONNECTION; sent += 1) {
      socket.write(ENVELOPE);
      for (const code of [250, 250, 354]) await expect(replies, code);
      socket.write(MESSAGE);
      await expect(replies, 250);
      more = take();
    }
    socket.end("QUIT\r\n");
    await once(socket, "close");
  }
}

/** Yields the last line of each reply. */
async function* repliesOf(socket: Socket): AsyncGenerator<string> {
  for await (const line of createInterface({ input: socket })) if (line[3] !== "-") yield line;
}

async function expect(replies: AsyncGenerator<string>, code: number): Promise<void> {
  const { done, value } = await replies.next();
  if (done || !value.startsWith(String(code)))
    throw new Error(`the sink answered ${value ?? "nothing"} instead of ${code}`);
}

console.log("ready");
await serveCommands((question) => send((question as { readonly send: number }).send));
process.exit(0);
