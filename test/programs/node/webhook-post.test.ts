// Tests one attempt at a webhook delivery (src/resources/webhooks/post.ts) in plain workerd,
// bundled as for a deployment, with receivers on real sockets. A fake fetch can't show how much of
// a response the worker reads, what it decompresses, or whether it closes a connection.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createSocketServer, type Socket } from "node:net";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listenOnLoopback } from "../../../tools/harness/loopback.ts";
import { askWorker } from "../plain-workerd.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const KIB = 1_024;
const LARGE_BYTES = 100 * KIB * KIB;
const GZIP_BOMB = gzipSync(Buffer.alloc(LARGE_BYTES, "a"));
const BROTLI_BOMB = brotliCompressSync(Buffer.alloc(LARGE_BYTES, "a"), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
});

const SETTINGS = {
  headerPrefix: "Service",
  webhookAllowPrivate: true,
  serviceDomain: "postern.test",
  dnsResolverUrl: "http://127.0.0.1:1/dns-query",
};

type Receive = (response: ServerResponse, request: IncomingMessage) => unknown;

const RECEIVERS: Record<string, Receive> = {
  "/ok": (response) => response.end("ok"),
  "/redirect": (response) => response.writeHead(302, { Location: "/ok" }).end("moved"),
  "/redirect-nowhere": (response) => response.writeHead(308).end(),
  "/not-modified": (response) => response.writeHead(304).end(),
  "/unauthorized": (response) =>
    response.writeHead(401, { "WWW-Authenticate": "Basic" }).end("who?"),
  "/odd-status": (response) => response.writeHead(999).end("odd"),
  "/continue": (response) => {
    response.writeContinue();
    response.end("went on");
  },
  "/set-cookie": (response, request) =>
    response.writeHead(200, { "Set-Cookie": "a=b; Path=/" }).end(request.headers.cookie ?? "none"),
  "/gzip": (response) =>
    response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync("inflated")),
  "/brotli": (response) =>
    response.writeHead(200, { "Content-Encoding": "br" }).end(brotliCompressSync("inflated")),
  "/gzip-bomb": (response) =>
    response.writeHead(200, { "Content-Encoding": "gzip" }).end(GZIP_BOMB),
  "/brotli-bomb": (response) =>
    response.writeHead(200, { "Content-Encoding": "br" }).end(BROTLI_BOMB),
  "/close": (response) => response.destroy(),
  "/cut": (response) =>
    response.writeHead(200, { "Content-Length": 100 }).write("part", () => response.destroy()),
  "/silent": () => undefined,
  "/headers-alone": (response) => response.writeHead(200).flushHeaders(),
  "/drip": (response) => {
    const timer = setInterval(() => response.write("x"), 100);
    response.on("close", () => clearInterval(timer));
  },
};

describe("an attempt in plain workerd", () => {
  const heard: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  let http: Server;
  let origin = "";

  beforeAll(async () => {
    ({ http, origin } = await listen((request, response) => {
      heard.push(request);
      (RECEIVERS[request.url ?? ""] ?? (() => response.writeHead(404).end()))(response, request);
    }));
    http.on("connection", (socket: Socket) =>
      sockets.add(socket.on("close", () => sockets.delete(socket))),
    );
  });

  afterAll(() => {
    http?.closeAllConnections();
    http?.close();
  });

  function attempt(url: string, deadlineMs?: number): ReturnType<typeof askWorker> {
    const delivery = {
      url: url.startsWith("/") ? origin + url : url,
      batchId: "wbt_1",
      secrets: [SECRET],
    };
    return askWorker("/post", { settings: SETTINGS, delivery, deadlineMs });
  }

  it.each([
    ["/ok", 200, "ok"],
    ["/redirect", 302, "moved"],
    ["/redirect-nowhere", 308, null],
    ["/not-modified", 304, null],
    ["/unauthorized", 401, "who?"],
    ["/odd-status", 999, "odd"],
    ["/continue", 200, "went on"],
    ["/gzip", 200, "inflated"],
    ["/brotli", 200, "inflated"],
  ])("posts to %s once, and takes the answer's status for %i", async (path, status, preview) => {
    heard.length = 0;
    expect(await attempt(path)).toMatchObject({
      kind: "answered",
      status,
      preview,
      isSuccess: status === 200,
    });
    expect(heard.map(({ url }) => url)).toEqual([path]);
  });

  it.each(["/gzip-bomb", "/brotli-bomb"])(
    "decompresses at most 1 KiB, so %s is never completed",
    async (path) => {
      expect(await attempt(path)).toEqual({ kind: "unreachable", latencyMs: expect.any(Number) });
    },
  );

  it("closes the connection of an endless response", async () => {
    let written = 0;
    const closed = new Promise<void>((resolve) => {
      RECEIVERS["/large"] = (response) => {
        const chunk = Buffer.alloc(64 * KIB, "b");
        const fill = (): void => {
          while (written < LARGE_BYTES && !response.destroyed) {
            written += chunk.length;
            if (!response.write(chunk)) return void response.once("drain", fill);
          }
        };
        response.once("close", resolve);
        fill();
      };
    });
    expect(await attempt("/large")).toEqual({ kind: "unreachable", latencyMs: expect.any(Number) });
    await closed;
    // The worker closes the connection without reading the rest. Only the buffers of the two
    // sockets take some of it.
    expect(written).toBeLessThan(LARGE_BYTES / 4);
  });

  it.each([
    ["is short, and the body is chunked", "Content-Length: 5\r\nTransfer-Encoding: chunked", true],
    ["is short, after Transfer-Encoding", "Transfer-Encoding: chunked\r\nContent-Length: 5", true],
    ["is empty", "Content-Length:", false],
    ["is given twice", "Content-Length: 5\r\nContent-Length: 5000000000", false],
    ["is less than the body", "Content-Length: 5", false],
  ])(
    "stops reading at its limit if the receiver's Content-Length %s",
    async (_, lengths, isChunked) => {
      let written = 0;
      const chunk = Buffer.alloc(64 * KIB, "c");
      const framed = isChunked
        ? Buffer.concat([
            Buffer.from(`${chunk.length.toString(16)}\r\n`),
            chunk,
            Buffer.from("\r\n"),
          ])
        : chunk;
      const liar = await listenRaw((socket) => {
        const fill = (): void => {
          while (written < LARGE_BYTES && !socket.destroyed) {
            written += chunk.length;
            if (!socket.write(framed)) return void socket.once("drain", fill);
          }
        };
        socket.once("data", () => {
          socket.write(`HTTP/1.1 200 OK\r\n${lengths}\r\n\r\n`);
          fill();
        });
      });
      const { kind, preview } = await attempt(liar.origin);
      if (kind === "answered") expect(preview).toBe("ccccc");
      else expect(kind).toBe("unreachable");
      expect(written).toBeLessThan(LARGE_BYTES / 4);
      liar.close();
    },
  );

  it("keeps no cookie, and sends no header of another request", async () => {
    for (let round = 0; round < 2; round += 1)
      expect(await attempt("/set-cookie")).toMatchObject({ preview: "none" });
    expect(heard.at(-1)?.headers).toMatchObject({
      "accept-encoding": "identity",
      "user-agent": "Service-Webhooks/1.0",
      "content-length": "2",
    });
  });

  it("reports lost, refused, unreadable and untrusted connections with the same text", async () => {
    const chatter = await listenRaw((socket) =>
      socket.once("data", () => socket.end("220 mail.example.test ESMTP\r\n")),
    );
    const urls = [
      "/close",
      "/cut",
      "http://127.0.0.1:1/",
      "http://[::1]:1/",
      chatter.origin,
      origin.replace("http:", "https:"),
    ];
    for (const url of [...urls, "https://10.0.0.1/", "https://nowhere.example.com/"])
      expect(await attempt(url)).toEqual({ kind: "unreachable", latencyMs: expect.any(Number) });
    chatter.close();
  });

  // The unit test test/unit/resources/webhooks/post.test.ts shows with a fake clock that the
  // deadline is 5 seconds.
  it("ends at its deadline, whatever the receiver omits, and closes the connection", async () => {
    const mute = await listenRaw(() => undefined);
    const attempts = await Promise.all(
      [
        "/silent",
        "/headers-alone",
        "/drip",
        mute.origin,
        mute.origin.replace("http:", "https:"),
      ].map((url) => attempt(url, 700)),
    );
    for (const one of attempts)
      expect(one).toEqual({ kind: "timed_out", latencyMs: expect.any(Number) });
    await expect
      .poll(() => [...sockets].filter((socket) => !socket.destroyed).length)
      .toBeLessThanOrEqual(1);
    mute.close();
  });
});

async function listen(receive: RequestListener): Promise<{ http: Server; origin: string }> {
  const http = createServer(receive);
  return { http, origin: `http://127.0.0.1:${await listenOnLoopback(http)}` };
}

async function listenRaw(
  receive: (socket: Socket) => unknown,
): Promise<{ origin: string; close: () => void }> {
  const server = createSocketServer((socket) => receive(socket.on("error", () => undefined)));
  return {
    origin: `http://127.0.0.1:${await listenOnLoopback(server)}`,
    close: () => server.close(),
  };
}
