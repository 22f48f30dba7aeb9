// Tests how much of a body the worker reads from callers that have not signed in
// (src/api/body-limit.ts). The tests call every route that app.ts mounts, so they cover a new route
// without naming it.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { app } from "../../src/api/app.ts";
import { REPLY_BYTES } from "../../src/limits.ts";
import { bindings, makeTeam, type TestEnv } from "../support/api.ts";
import { ORIGIN } from "./console/console-calls.ts";

const LARGEST = 5 * 1024 * 1024;
const OPEN = 16 * 1024;
const CHUNK = new Uint8Array(1024 * 1024).fill(0x20);

interface Place {
  readonly method: string;
  readonly path: string;
}

/** One request for each route of the app. */
const places: readonly Place[] = app.routes.map(({ method, path }) => ({
  method: method === "ALL" ? "PUT" : method,
  path: path.replaceAll(/:\w+|\*/g, "x"),
}));

const READERS = ["arrayBuffer", "blob", "bytes", "formData", "json", "text"] as const;
const watchReaders = () => READERS.map((name) => vi.spyOn(Request.prototype, name));

let readers: ReturnType<typeof watchReaders>;

beforeEach(() => {
  readers = watchReaders();
});

interface Outcome {
  readonly status: number;
  /** Number of bytes that the worker read from the request body. */
  readonly taken: number;
  readonly headers: Headers;
}

/** Sends a request with a body of `size` bytes to the route. */
async function send(
  { method, path }: Place,
  size: number,
  headers: Readonly<Record<string, string>>,
  env: TestEnv = bindings,
): Promise<Outcome> {
  let taken = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = CHUNK.subarray(0, Math.min(CHUNK.length, size - taken));
        taken += chunk.length;
        if (chunk.length > 0) controller.enqueue(chunk);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const request = new Request<unknown, IncomingRequestCfProperties>(`${ORIGIN}${path}`, {
    method,
    headers: { "Content-Type": "multipart/form-data; boundary=x", ...headers },
  });
  // The Request constructor refuses a body for a GET, but a client can send one.
  Object.defineProperty(request, "body", { value: body });
  const context = createExecutionContext();
  const response = await app.fetch(request, env, context);
  await response.body?.cancel();
  await waitOnExecutionContext(context);
  const { status, headers: answered } = response;
  return { status, taken, headers: answered };
}

/** A deployment in which every call to a ledger fails. */
const NO_LEDGER: TestEnv = {
  ...bindings,
  TEAM_LEDGER: {
    getByName: () => {
      throw new Error("no ledger is to be asked");
    },
  } as unknown as TestEnv["TEAM_LEDGER"],
};

/** Returns the response headers without the request id, which differs each time. */
function headersOf({ headers }: Outcome): unknown {
  return Object.fromEntries([...headers].filter(([name]) => name !== "x-request-id"));
}

/** Returns the routes for which `isRight` is false. */
async function findWrong(isRight: (place: Place) => Promise<boolean>): Promise<readonly Place[]> {
  const verdicts = await Promise.all(places.map(isRight));
  return places.filter((_, index) => !verdicts[index]);
}

/** Counts the calls that read a body as a whole. */
function countReads(): number {
  return readers.reduce((sum, { mock }) => sum + mock.calls.length, 0);
}

const named = (size: number) => ({ "Content-Length": String(size) });

describe("a body of 5 MB", () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ["a made-up key", { Authorization: "Bearer ps_made-up" }],
    ["forged page headers", { "Sec-Fetch-Site": "same-origin", "X-Postern-Console": "1" }],
  ])("that comes with %s is read by no route", async (_who, headers) => {
    expect(places.length).toBeGreaterThan(100);
    const wrong = await findWrong(async (place) => {
      const known = await send(place, LARGEST, { ...headers, ...named(LARGEST) });
      const streamed = await send(place, LARGEST, headers);
      const isRefused = [401, 403, 404, 405, 413].includes(known.status);
      return isRefused && known.taken === 0 && known.status === streamed.status;
    });
    expect([wrong, countReads()]).toEqual([[], 0]);
  });
});

describe("a body that is too large", () => {
  it("is answered with 413 at every route before any other check, and is read no further", async () => {
    const wrong = await findWrong(async (place) => {
      const most = place.path.startsWith("/gateway/replies/") ? REPLY_BYTES : LARGEST;
      const known = await send(place, 2 * most, named(2 * most));
      const streamed = await send(place, 2 * most, {});
      const isRefused = known.status === 413 && streamed.status === 413;
      return isRefused && known.taken === 0 && streamed.taken <= most + CHUNK.length;
    });
    expect([wrong, countReads()]).toEqual([[], 0]);
  });

  it.each([
    ["POST", "/console/session"],
    ["POST", "/u/x"],
    ["GET", "/o/x"],
    ["GET", "/healthz"],
    ["GET", "/console/x"],
  ])("is each of over 16 KB at %s %s, if the caller has not signed in", async (method, path) => {
    const place = { method, path };
    for (const headers of [{}, named(OPEN + 1)])
      expect((await send(place, OPEN + 1, headers)).status).toBe(413);
    // The worker reads all of the body first. If it answered earlier, a client that is still
    // writing would lose the answer with its connection.
    expect(await send(place, LARGEST, {})).toMatchObject({ status: 413, taken: LARGEST });
    expect((await send(place, OPEN, named(OPEN))).status).not.toBe(413);
    expect((await send(place, OPEN, {})).status).not.toBe(413);
  });
});

describe("a team whose rate is used up", () => {
  it("is refused before its body is read, with the same answer as the ledger's refusal", async () => {
    vi.setSystemTime(Date.now());
    const { key } = await makeTeam({ limits: { requests_per_second: 1 } });
    const bearer = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const place = { method: "POST", path: "/v1/email" };
    for (let request = 0; request < 2; request += 1)
      expect((await send(place, 2, bearer)).status).toBe(400);
    const byLedger = await send(place, 2, bearer);
    expect(byLedger.status).toBe(429);
    const reads = countReads();
    for (const path of ["/v1/email", "/v1/email/batch", "/v1/templates", "/mcp"]) {
      const headers = { ...bearer, ...named(LARGEST) };
      const refused = await send({ method: "POST", path }, LARGEST, headers);
      expect([refused.status, refused.taken, countReads()]).toEqual([429, 0, reads]);
      expect(headersOf(refused)).toEqual(headersOf(byLedger));
    }
    expect((await send(place, 2, bearer, NO_LEDGER)).status).toBe(429);
    vi.setSystemTime(Date.now() + 1_000);
    expect((await send(place, 2, bearer)).status).toBe(400);
  });
});
