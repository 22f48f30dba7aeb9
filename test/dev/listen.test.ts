// What `npm run listen` guarantees, run as a program against an API and a receiver of the test's
// own: what it registers and takes away, what it hands on and back, what it prints, and what it
// says when it can't. test/e2e/listen-command.test.ts listens to the real stack.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  request,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const LISTEN = new URL("../../dev/listen.ts", import.meta.url).pathname;
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const KEY = "ps_local";

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
  readonly child: ChildProcess;
  readonly said: { out: string; err: string };
  readonly ended: Promise<number>;
}

const servers: Server[] = [];
const children: ChildProcess[] = [];
let state: string;
let api: string;
let receiver: string;
let calls: Call[];
let received: Received[];
/** What GET and POST /v1/webhooks answer. */
let listed: { id: string; name: string }[];
let creation: { status: number; body: unknown };
let answer: RequestListener;

beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), "listen-"));
  calls = [];
  received = [];
  listed = [];
  creation = { status: 201, body: { id: "wh_1", signing_secret: SECRET } };
  answer = (_, response) => response.writeHead(204).end();
  api = await serve((incoming, outgoing) => void answerCall(incoming, outgoing));
  receiver = await serve((incoming, outgoing) => void take(incoming, outgoing));
  writeFileSync(join(state, "dev.json"), JSON.stringify({ api_url: api, api_key: KEY }));
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(state, { recursive: true });
});

async function answerCall(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = "", url: path = "", headers } = incoming;
  const body = await text(incoming);
  calls.push({
    method,
    path,
    key: headers.authorization,
    body: body === "" ? undefined : (JSON.parse(body) as Call["body"]),
  });
  if (method === "DELETE") {
    outgoing.writeHead(204).end();
    return;
  }
  const list = { status: 200, body: { data: listed, has_more: false, next_cursor: null } };
  const { status, body: shown } = method === "GET" ? list : creation;
  outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(shown));
}

async function take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  received.push({
    url: incoming.url ?? "",
    rawHeaders: incoming.rawHeaders,
    body: await text(incoming),
  });
  answer(incoming, outgoing);
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function listen(...args: readonly string[]): Listening {
  const child = spawn(process.execPath, [LISTEN, ...args], {
    env: { ...process.env, POSTERN_STATE: state, POSTERN_KEY: undefined },
  });
  children.push(child);
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said.err += chunk.toString()));
  return { child, said, ended: once(child, "close").then(([code]) => code as number) };
}

/** Up, and where it takes deliveries. */
async function up(...args: readonly string[]): Promise<Listening & { readonly url: string }> {
  const listening = listen("--forward", `${receiver}/hook?from=postern`, ...args);
  await expect
    .poll(() => listening.said.out + listening.said.err, { timeout: 20_000 })
    .toContain("Forwarded");
  return { ...listening, url: created()?.url ?? "" };
}

const created = () => calls.find(({ method }) => method === "POST")?.body;
const deleted = () => calls.filter(({ method }) => method === "DELETE").map(({ path }) => path);
const bodyOf = (...events: readonly object[]) =>
  JSON.stringify({ batch_id: "wb_1", timestamp: 1, events });
const event = (recipient: string) => ({
  id: "evt_1",
  type: "email.delivered",
  data: { recipient, subject: "Grüße \u{1f389}" },
});

async function deliver(
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

describe("a run", () => {
  it("registers a webhook of its own with the stack's key, shows its secret, and deletes it at the end", async () => {
    const { said, child, ended } = await up("--events", "email.bounced,email.delivered");
    expect(calls.map(({ method, key }) => [method, key])).toEqual([
      ["GET", `Bearer ${KEY}`],
      ["POST", `Bearer ${KEY}`],
    ]);
    expect(created()).toMatchObject({
      events: ["email.bounced", "email.delivered"],
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}$/),
    });
    expect(said.out).toContain(SECRET);
    expect(said.out).toContain("email.bounced, email.delivered");
    child.kill("SIGINT");
    expect(await ended).toBe(0);
    expect(deleted()).toEqual(["/v1/webhooks/wh_1"]);
    expect(said.err).toBe("");
  });

  it.each(["SIGTERM", "SIGHUP"] as const)(
    "deletes it on %s as well, once, though the signal comes twice",
    async (signal) => {
      const { child, ended } = await up();
      child.kill(signal);
      child.kill(signal);
      expect(await ended).toBe(0);
      expect(deleted()).toHaveLength(1);
    },
  );

  it("subscribes to all nine types when it is not told which", async () => {
    await up();
    expect(created()?.events).toHaveLength(9);
  });

  it("deletes what killed runs of this machine left, and nothing else", async () => {
    const gone = spawn(process.execPath, ["-e", ""]);
    await once(gone, "close");
    const name = (pid: number | undefined, host = hostname()) =>
      `npm run listen, ${host}, process ${pid}`;
    listed = [
      { id: "wh_left", name: name(gone.pid) },
      { id: "wh_running", name: name(process.pid) },
      { id: "wh_elsewhere", name: name(gone.pid, "elsewhere") },
      { id: "wh_theirs", name: "Orders" },
    ];
    const { said } = await up();
    expect(deleted()).toEqual(["/v1/webhooks/wh_left"]);
    expect(said.out).toContain("1 left over");
  });
});

describe("a delivery", () => {
  it("reaches the forward URL byte for byte with its headers, and is a line an event", async () => {
    const { url, said } = await up();
    const body = `${bodyOf(event("ada@example.org"), event("eve@example.org"))} `;
    const headers = {
      "Service-Signature": "t=1,v1=ab",
      "Service-Batch-Id": "wb_1",
      "webhook-id": "wb_1",
      "User-Agent": "Service-Webhooks/1.0",
    };
    expect(
      await deliver(url, body, { ...headers, "Content-Type": "application/json" }),
    ).toMatchObject({ status: 204 });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ url: "/hook?from=postern", body });
    const pairs = received[0]?.rawHeaders.join("\n");
    for (const [name, value] of Object.entries(headers))
      expect(pairs).toContain(`${name}\n${value}`);
    expect(pairs).toContain(`Content-Length\n${Buffer.byteLength(body)}`);
    await expect
      .poll(() => said.out)
      .toMatch(
        /\d\d:\d\d:\d\d +email\.delivered +ada@example\.org +204\n.* +email\.delivered +eve@example\.org +204\n/,
      );
  });

  it("is answered what the receiver answers", async () => {
    const { url, said } = await up();
    answer = (_, response) => response.writeHead(503, { "X-Reason": "busy" }).end("later");
    expect(await deliver(url, bodyOf(event("ada@example.org")))).toMatchObject({
      status: 503,
      headers: { "x-reason": "busy" },
      body: "later",
    });
    answer = (_, response) => response.writeHead(302, { Location: "/elsewhere" }).end();
    expect(await deliver(url, bodyOf(event("ada@example.org")))).toMatchObject({
      status: 302,
      headers: { location: "/elsewhere" },
    });
    expect(received).toHaveLength(2);
    await expect
      .poll(() => said.out)
      .toMatch(/ 503, to be tried again\n.* 302, to be tried again\n/);
  });

  it("fails when the receiver is away, and goes through when it is back", async () => {
    const { url, said } = await up();
    const server = servers.at(-1);
    const { port } = new URL(receiver);
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    expect((await deliver(url, bodyOf(event("ada@example.org")))).status).toBe(502);
    await expect.poll(() => said.out).toContain("ECONNREFUSED, to be tried again");
    const back = createServer((_, response) => response.writeHead(200).end()).listen(
      Number(port),
      "127.0.0.1",
    );
    servers.push(back);
    await once(back, "listening");
    expect((await deliver(url, bodyOf(event("ada@example.org")))).status).toBe(200);
  });

  it("that the service gives up is let go, and said to have had no answer", async () => {
    const { url, said } = await up();
    let letGo = false;
    answer = (_, response) => void response.on("close", () => (letGo = true));
    const sent = request(url, { method: "POST" }).on("error", () => undefined);
    sent.end(bodyOf(event("ada@example.org")));
    await expect.poll(() => received.length).toBe(1);
    sent.destroy();
    await expect.poll(() => said.out).toContain("no answer in time, to be tried again");
    await expect.poll(() => letGo).toBe(true);
  });

  it("of a test event is a line too, and what it names can't act on the terminal", async () => {
    const { url, said } = await up();
    await deliver(
      url,
      bodyOf({ event: "webhook.test", event_id: "evt_test_1" }, event("\u001b[2Jada@example.org")),
    );
    await deliver(url, "no JSON");
    answer = (_, response) => response.writeHead(400).end();
    await deliver(url, bodyOf({ event: "webhook.test" }));
    await expect
      .poll(() => said.out)
      .toMatch(
        /webhook\.test +- +204\n.*\?\[2Jada@example\.org +204\n.*not a delivery +- +204\n.*webhook\.test +- +400\n/,
      );
    expect(said.out).not.toContain("\u001b");
  });

  it("counts only under the secret path", async () => {
    const { url } = await up();
    expect((await deliver(new URL("/", url).href, bodyOf())).status).toBe(404);
    expect((await deliver(`${url}/more`, bodyOf())).status).toBe(404);
    expect((await fetch(url)).status).toBe(404);
    expect(received).toEqual([]);
  });
});

describe("a deployment elsewhere", () => {
  it("is told the tunnel's address, and which port the tunnel has to lead to", async () => {
    const port = Number(new URL(await serve(() => undefined)).port);
    servers.at(-1)?.close();
    const { said } = await up(
      "--public-url",
      "https://tunnel.example.net/a/",
      "--port",
      String(port),
      "--url",
      `${api}/`,
      "--key",
      "ps_other",
    );
    expect(created()?.url).toMatch(/^https:\/\/tunnel\.example\.net\/a\/[\w-]{22}$/);
    expect(new Set(calls.map(({ key }) => key))).toEqual(new Set(["Bearer ps_other"]));
    expect(said.out).toContain(`whose tunnel has to lead to http://127.0.0.1:${port}`);
    const { pathname } = new URL(created()?.url ?? "");
    const path = pathname.slice("/a".length);
    expect(
      (await deliver(`http://127.0.0.1:${port}${path}`, bodyOf(event("ada@example.org")))).status,
    ).toBe(204);
  });
});

describe("what can't be", () => {
  const forward = ["--forward", "http://127.0.0.1:1/"];
  const remote = ["--url", "https://api.example.com"];

  it.each([
    [[], "--forward is missing"],
    [["--forward", "localhost:3000"], "--forward is not an http or https URL: localhost:3000"],
    [["--forwards", "x"], "Unknown option '--forwards'"],
    [
      [...forward, "--events", "email.delivered,email.lost"],
      'there is no "email.lost"; there are email.sent,',
    ],
    [[...forward, "--port", "many"], "--port is not a port: many"],
    [[...forward, ...remote], "no key for https://api.example.com: give a full API key as --key"],
    [
      [...forward, ...remote, "--key", "ps_x"],
      "https://api.example.com can't reach this machine by itself. Start a tunnel",
    ],
    [
      [...forward, ...remote, "--key", "ps_x", "--public-url", "http://tunnel.example.net"],
      "--public-url must be an https URL",
    ],
    [
      [...forward, "--url", "http://127.0.0.1:2", "--key", "ps_x"],
      "http://127.0.0.1:2 can't be reached: ECONNREFUSED",
    ],
  ])("%j is said in words", async (args, message) => {
    const { said, ended } = listen(...args);
    expect(await ended).toBe(1);
    expect(said.err).toMatch(/^postern: /);
    expect(said.err).toContain(message);
    expect(said.err).not.toMatch(/^ +at /m);
    expect(created()).toBeUndefined();
  });

  it("is said when no stack runs", async () => {
    rmSync(join(state, "dev.json"));
    const { said, ended } = listen(...forward);
    expect(await ended).toBe(1);
    expect(said.err).toContain("no stack runs here");
    expect(said.err).toContain("npm start");
  });

  it("is said with the API's own words", async () => {
    creation = {
      status: 422,
      body: {
        error: {
          type: "validation_error",
          message: "No.",
          errors: { url: ["must be a public host"] },
        },
      },
    };
    const { said, ended } = listen(...forward);
    expect(await ended).toBe(1);
    expect(said.err).toBe(
      "postern: the webhook was not created: 422 No.; url must be a public host\n",
    );
    expect(deleted()).toEqual([]);
  });

  it("is said of a port that is taken", async () => {
    const { port } = new URL(receiver);
    const { said, ended } = listen(...forward, "--port", port);
    expect(await ended).toBe(1);
    expect(said.err).toBe(`postern: port ${port} is taken: give another as --port\n`);
    expect(created()).toBeUndefined();
  });

  it("is said of a webhook that could not be deleted", async () => {
    const { said, child, ended } = await up();
    const server = servers[0];
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    child.kill("SIGINT");
    expect(await ended).toBe(1);
    expect(said.err).toContain("can't be reached: ECONNREFUSED");
  });
});
