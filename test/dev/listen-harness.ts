// Runs `npm run listen` in this process, against a fake API and a receiver for each test.
import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  request,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect } from "vitest";
import { runCommandLine } from "../../packages/postern/src/cli/command-line.ts";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";

export const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
export const KEY = "ps_local";

interface Call {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: { name: string; url: string; events: string[] } | undefined;
}

interface Received {
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

interface Listening {
  readonly signal: (name: "SIGINT" | "SIGTERM" | "SIGHUP") => void;
  readonly output: { out: string; err: string };
  readonly ended: Promise<number>;
}

export const servers: Server[] = [];
const runs: Listening[] = [];
export let state: string;
export let api: string;
export let receiver: string;
export let calls: Call[];
export let received: Received[];
/**
 * The answers to GET and POST /v1/webhooks, and the receiver's behaviour. A test may replace them.
 */
export const answers: {
  listed: { id: string; name: string }[];
  creation: { status: number; body: unknown };
  receiver: RequestListener;
} = { listed: [], creation: { status: 0, body: {} }, receiver: () => undefined };

/** Starts the fake API and the receiver for each test of the calling file. */
export function useListen(): void {
  beforeEach(async () => {
    state = mkdtempSync(join(tmpdir(), "listen-"));
    calls = [];
    received = [];
    answers.listed = [];
    answers.creation = { status: 201, body: { id: "wh_1", signing_secret: SECRET } };
    answers.receiver = (_, response) => response.writeHead(204).end();
    api = await serve((incoming, outgoing) => void answerCall(incoming, outgoing));
    receiver = await serve((incoming, outgoing) => void take(incoming, outgoing));
    writeFileSync(join(state, "dev.json"), JSON.stringify({ api_url: api, api_key: KEY }));
  });

  afterEach(async () => {
    for (const { signal, ended } of runs.splice(0)) {
      signal("SIGTERM");
      await ended;
    }
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
    rmSync(state, { recursive: true });
  });
}

async function answerCall(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = "", url: path = "", headers } = incoming;
  const body = await text(incoming);
  const read = body === "" ? undefined : (JSON.parse(body) as Call["body"]);
  calls.push({ method, path, key: headers.authorization, body: read });
  if (method === "DELETE") return void outgoing.writeHead(204).end();
  const list = { status: 200, body: { data: answers.listed, has_more: false, next_cursor: null } };
  const { status, body: shown } = method === "GET" ? list : answers.creation;
  outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(shown));
}

async function take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { url = "", rawHeaders } = incoming;
  received.push({ url, rawHeaders, body: await text(incoming) });
  answers.receiver(incoming, outgoing);
}

export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}

export function listen(...args: readonly string[]): Listening {
  const output = { out: "", err: "" };
  const into = (name: "out" | "err") =>
    new Writable({ write: (chunk, _, done) => ((output[name] += String(chunk)), done()) });
  const signals = new EventEmitter();
  const ended = runCommandLine(["webhooks", "listen", ...args], {
    environment: { POSTERN_STATE: state, XDG_CONFIG_HOME: state },
    input: Readable.from([]),
    output: into("out"),
    errors: into("err"),
    signals,
  });
  const run = { output, ended, signal: (name: string) => void signals.emit(name) };
  runs.push(run);
  return run;
}

/**
 * Starts the command. Resolves when the command is ready, with the URL to which the fake API sends
 * deliveries.
 */
export async function startListening(
  ...args: readonly string[]
): Promise<Listening & { readonly url: string }> {
  const listening = listen("--forward", `${receiver}/hook?from=postern`, ...args);
  await expect.poll(() => listening.output.out + listening.output.err).toContain("Forwarded");
  return { ...listening, url: created()?.url ?? "" };
}

export const created = () => calls.find(({ method }) => method === "POST")?.body;
export const deleted = () =>
  calls.filter(({ method }) => method === "DELETE").map(({ path }) => path);
export const bodyOf = (...events: readonly object[]) =>
  JSON.stringify({ batch_id: "wb_1", timestamp: 1, events });
export const event = (recipient: string) => ({
  id: "evt_1",
  type: "email.delivered",
  data: { recipient, subject: "Grüße \u{1f389}" },
});

export async function deliver(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers, agent: false }, (response) => {
      text(response).then(
        (read) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read }),
        reject,
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
