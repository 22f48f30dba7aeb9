// Tests what `npm run listen` promises, with the test's own API and receiver: which
// webhook it creates and deletes, what it forwards and returns, what it prints, and how it reports
// failures.
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  answers,
  api,
  bodyOf,
  calls,
  created,
  deleted,
  deliver,
  event,
  KEY,
  listen,
  received,
  receiver,
  SECRET,
  serve,
  servers,
  startListening,
  state,
  useListen,
} from "./listen-harness.ts";

useListen();

const ADA = bodyOf(event("ada@example.org"));

describe("a run", () => {
  it("creates a webhook with the stack's key, shows its secret, and deletes it at the end", async () => {
    const events = "email.bounced,email.delivered";
    const { output, signal, ended } = await startListening("--events", events);
    expect(calls.map(({ method, key }) => [method, key])).toEqual([
      ["GET", `Bearer ${KEY}`],
      ["POST", `Bearer ${KEY}`],
    ]);
    expect(created()).toMatchObject({
      events: ["email.bounced", "email.delivered"],
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}$/),
    });
    expect(output.out).toContain(SECRET);
    expect(output.out).toContain("email.bounced, email.delivered");
    signal("SIGINT");
    expect(await ended).toBe(0);
    expect(deleted()).toEqual(["/v1/webhooks/wh_1"]);
    expect(output.err).toBe("");
  });

  it.each(["SIGTERM", "SIGHUP"] as const)(
    "deletes the webhook once on %s too, even if the signal comes twice",
    async (name) => {
      const { signal, ended } = await startListening();
      signal(name);
      signal(name);
      expect(await ended).toBe(0);
      expect(deleted()).toHaveLength(1);
    },
  );

  it("subscribes to all nine types by default", async () => {
    await startListening();
    expect(created()?.events).toHaveLength(9);
  });

  it("deletes the webhooks of killed runs on this machine, and no others", async () => {
    const gone = 2 ** 31 - 1;
    const name = (pid: number, on = hostname()) => `postern webhooks listen, ${on}, process ${pid}`;
    answers.listed = [
      { id: "wh_left", name: name(gone) },
      { id: "wh_running", name: name(process.ppid) },
      { id: "wh_elsewhere", name: name(gone, "elsewhere") },
      { id: "wh_theirs", name: "Orders" },
    ];
    const { output } = await startListening();
    expect(deleted()).toEqual(["/v1/webhooks/wh_left"]);
    expect(output.out).toContain("1 left over");
  });
});

describe("a delivery", () => {
  it("reaches the forward URL byte for byte with its headers, and prints a line for each event", async () => {
    const { url, output } = await startListening();
    const body = `${bodyOf(event("ada@example.org"), event("eve@example.org"))} `;
    const headers = {
      "Service-Signature": "t=1,v1=ab",
      "Service-Batch-Id": "wb_1",
      "webhook-id": "wb_1",
      "User-Agent": "Service-Webhooks/1.0",
    };
    const typed = { ...headers, "Content-Type": "application/json" };
    expect((await deliver(url, body, typed)).status).toBe(204);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ url: "/hook?from=postern", body });
    const pairs = received[0]?.rawHeaders.join("\n");
    for (const [name, value] of Object.entries(headers))
      expect(pairs).toContain(`${name}\n${value}`);
    expect(pairs).toContain(`Content-Length\n${Buffer.byteLength(body)}`);
    await expect
      .poll(() => output.out)
      .toMatch(
        /\d\d:\d\d:\d\d +email\.delivered +ada@example\.org +204\n.* +email\.delivered +eve@example\.org +204\n/,
      );
  });

  it("gets the receiver's own answer", async () => {
    const { url, output } = await startListening();
    answers.receiver = (_, response) =>
      response.writeHead(503, { "X-Reason": "busy" }).end("later");
    const busy = await deliver(url, ADA);
    expect(busy).toMatchObject({ status: 503, headers: { "x-reason": "busy" }, body: "later" });
    answers.receiver = (_, response) => response.writeHead(302, { Location: "/elsewhere" }).end();
    expect(await deliver(url, ADA)).toMatchObject({
      status: 302,
      headers: { location: "/elsewhere" },
    });
    expect(received).toHaveLength(2);
    await expect.poll(() => output.out).toMatch(/ 503, will be retried\n.* 302, will be retried\n/);
  });

  it("fails while the receiver is down, and succeeds when it is back", async () => {
    const { url, output } = await startListening();
    const server = servers.at(-1);
    const { port } = new URL(receiver);
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    expect((await deliver(url, ADA)).status).toBe(502);
    await expect.poll(() => output.out).toContain("ECONNREFUSED, will be retried");
    const back = createServer((_, response) => response.writeHead(200).end());
    servers.push(back.listen(Number(port), "127.0.0.1"));
    await once(back, "listening");
    expect((await deliver(url, ADA)).status).toBe(200);
  });

  it("that the service stops waiting for is dropped, and shown as unanswered", async () => {
    const { url, output } = await startListening();
    let letGo = false;
    answers.receiver = (_, response) => void response.on("close", () => (letGo = true));
    const sent = request(url, { method: "POST" }).on("error", () => undefined);
    sent.end(ADA);
    await expect.poll(() => received.length).toBe(1);
    sent.destroy();
    await expect.poll(() => output.out).toContain("no answer in time, will be retried");
    await expect.poll(() => letGo).toBe(true);
  });

  it("of a test event is printed too, without control characters for the terminal", async () => {
    const { url, output } = await startListening();
    await deliver(
      url,
      bodyOf({ event: "webhook.test", event_id: "evt_test_1" }, event("\u001b[2Jada@example.org")),
    );
    await deliver(url, "no JSON");
    answers.receiver = (_, response) => response.writeHead(400).end();
    await deliver(url, bodyOf({ event: "webhook.test" }));
    await expect
      .poll(() => output.out)
      .toMatch(
        /webhook\.test +- +204\n.*\?\[2Jada@example\.org +204\n.*not a delivery +- +204\n.*webhook\.test +- +400\n/,
      );
    expect(output.out).not.toContain("\u001b");
  });

  it("is accepted only under the secret path", async () => {
    const { url } = await startListening();
    expect((await deliver(new URL("/", url).href, bodyOf())).status).toBe(404);
    expect((await deliver(`${url}/more`, bodyOf())).status).toBe(404);
    expect((await fetch(url)).status).toBe(404);
    expect(received).toEqual([]);
  });
});

describe("a deployment elsewhere", () => {
  it("gets the tunnel's address, and the user reads where the tunnel must lead", async () => {
    const port = Number(new URL(await serve(() => undefined)).port);
    servers.at(-1)?.close();
    const tunnel = `--public-url https://tunnel.example.net/a/ --port ${port}`;
    const { output } = await startListening(...`${tunnel} --url ${api}/ --key ps_other`.split(" "));
    expect(created()?.url).toMatch(/^https:\/\/tunnel\.example\.net\/a\/[\w-]{22}$/);
    expect(new Set(calls.map(({ key }) => key))).toEqual(new Set(["Bearer ps_other"]));
    expect(output.out).toContain(`the tunnel must lead to http://127.0.0.1:${port}`);
    const { pathname } = new URL(created()?.url ?? "");
    const local = `http://127.0.0.1:${port}${pathname.slice("/a".length)}`;
    expect((await deliver(local, ADA)).status).toBe(204);
  });
});

describe("a failure", () => {
  const forward = ["--forward", "http://127.0.0.1:1/"];
  const remote = ["--url", "https://api.example.com"];
  const closed = ["--url", "http://127.0.0.1:2"];
  const key = ["--key", "ps_x"];
  const tunnel = ["--public-url", "http://tunnel.example.net"];

  it.each([
    [[], 2, "--forward is missing"],
    [["--forward", "localhost:3000"], 2, "--forward is not an http or https URL: localhost:3000"],
    [["--forwards", "x"], 2, "Unknown option '--forwards'"],
    [
      [...forward, "--events", "email.sent,email.lost"],
      2,
      '"email.lost" is not one of email.sent,',
    ],
    [[...forward, "--port", "many"], 2, "--port is not a port: many"],
    [[...forward, ...remote], 3, "no key for https://api.example.com: run postern login --url"],
    [
      [...forward, ...remote, ...key],
      2,
      "https://api.example.com can't reach this machine directly. Start a tunnel",
    ],
    [[...forward, ...remote, ...key, ...tunnel], 2, "--public-url must be an https URL"],
    [[...forward, ...closed, ...key], 7, "http://127.0.0.1:2 gave no answer: ECONNREFUSED"],
  ] as const)(
    "because of the options %j ends with %i and is explained",
    async (args, code, says) => {
      const { output, ended } = listen(...args);
      expect(await ended).toBe(code);
      expect(output.err).toMatch(/^postern: /);
      expect(output.err).toContain(says);
      expect(output.err).not.toMatch(/^ +at /m);
      expect(created()).toBeUndefined();
    },
  );

  it("is explained when no stack runs", async () => {
    rmSync(join(state, "dev.json"));
    const { output, ended } = listen(...forward);
    expect(await ended).toBe(3);
    expect(output.err).toContain("no stack runs here");
    expect(output.err).toContain("npm start");
  });

  it("is explained in the API's words", async () => {
    const errors = { url: ["must be a public host"] };
    const error = { type: "validation_error", message: "No.", errors };
    answers.creation = { status: 422, body: { error } };
    const { output, ended } = listen(...forward);
    expect(await ended).toBe(5);
    expect(output.err).toBe("postern: 422: No.; url must be a public host\n");
    expect(deleted()).toEqual([]);
  });

  it("is explained when a port is taken", async () => {
    const { port } = new URL(receiver);
    const { output, ended } = listen(...forward, "--port", port);
    expect(await ended).toBe(2);
    expect(output.err).toBe(`postern: port ${port} is taken: give another as --port\n`);
    expect(created()).toBeUndefined();
  });

  it("is explained when a webhook could not be deleted", async () => {
    const { output, signal, ended } = await startListening();
    const server = servers[0];
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    signal("SIGINT");
    expect(await ended).toBe(7);
    expect(output.err).toContain("gave no answer: ECONNREFUSED");
  });
});
