// The peer of the gateway alone: smtp-server as it is commonly used. It compares AUTH, collects a
// message, forwards it with undici's Pool.request, and replies 250 if the answer is 202. It checks
// nothing else. The library's delay of 100 ms before the banner is removed.
import { readFile } from "node:fs/promises";
import type { AddressInfo, Socket } from "node:net";
import { SMTPServer } from "smtp-server";
import { SMTPConnection, type SMTPConnectionOptions } from "smtp-server/lib/smtp-connection.js";
import { Pool } from "undici";

const API_KEY = process.env["BENCH_API_KEY"] ?? "";
const worker = new Pool(process.env["BENCH_WORKER"] ?? "");

class PromptConnection extends SMTPConnection {
  override init(): void {
    this._setListeners(() => this.connectionReady());
  }
}

class PromptServer extends SMTPServer {
  override connect(socket: Socket, options?: SMTPConnectionOptions | null): void {
    const connection = new PromptConnection(this, socket, options);
    this.connections.add(connection);
    connection.on("error", (error: Error) => this.emit("error", error));
    connection.init();
  }
}

async function forward(body: Buffer): Promise<void> {
  const headers = {
    Authorization: `Bearer ${API_KEY}`,
    "Content-Type": "application/octet-stream",
  };
  const response = await worker.request({
    method: "POST",
    path: "/gateway/messages",
    headers,
    body,
  });
  await response.body.text();
  if (response.statusCode !== 202) throw new Error(`the worker answered ${response.statusCode}`);
}

async function answer(
  message: Buffer,
  done: (error: Error | null, text?: string) => void,
): Promise<void> {
  const problem = await forward(message).catch((error: Error) => error);
  if (problem) done(problem);
  else done(null, "stored");
}

const server = new PromptServer({
  cert: await readFile(process.env["BENCH_CERTIFICATE"] ?? ""),
  key: await readFile(process.env["BENCH_CERTIFICATE_KEY"] ?? ""),
  disableReverseLookup: true,
  size: 5 * 1024 * 1024,
  onAuth: ({ password }, _session, done) =>
    password === API_KEY ? done(null, { user: "service" }) : done(new Error("wrong key")),
  onData(stream, _session, done) {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.once("end", () => void answer(Buffer.concat(chunks), done));
  },
});
server.on("error", () => {}); // A client may be killed at any time, so its errors are ignored.
server.listen(0, "127.0.0.1", () =>
  console.log(`listening on ${(server.server.address() as AddressInfo).port}`),
);
process.stdin.resume().once("end", () => process.exit(0));
