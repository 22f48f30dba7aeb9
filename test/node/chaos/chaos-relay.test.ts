// Tests the relay in front of a gateway's host in a chaos campaign (tools/chaos/gateways): it
// passes on what the host says, counts it, and can make the host look like one of an earlier
// version.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { EgressRelay } from "../../../tools/chaos/gateways/egress-relay.ts";
import { EgressTally } from "../../../tools/chaos/gateways/egress-tally.ts";
import { Cleanup } from "../../../tools/harness/cleanup.ts";
import { listenOnLoopback } from "../../../tools/harness/loopback.ts";

const REPLY = { key: "email_1/0/1", kind: "reply", code: 250 };
const LINES = [
  { ...REPLY, taken_ms_ago: 2_000, replied_ms_ago: 1_000 },
  { key: "email_2/0/1", kind: "under_way" },
  { key: "email_3/0/1", kind: "not_taken", why: "memory" },
];

const cleanup = new Cleanup();
let url: string;
let hostUrl: string;
let relay: EgressRelay;
let tally: EgressTally;
/** The last request that the relay passed to the host, and the host's response to it. */
let asked: { readonly request: IncomingMessage; readonly response: ServerResponse } | null;

beforeAll(async () => {
  const host = createServer((request, response) => {
    asked = { request, response };
    request.resume();
    response.writeHead(200, { "content-type": "application/x-ndjson" }).flushHeaders();
  });
  await listenOnLoopback(host);
  cleanup.add(() => {
    host.closeAllConnections();
    host.close();
  });
  hostUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  tally = new EgressTally();
  relay = new EgressRelay(hostUrl, tally);
  url = `http://127.0.0.1:${await relay.listen(cleanup)}`;
  asked = null;
});
afterAll(() => cleanup.run());

const post = (path: string): Promise<Response> =>
  fetch(url + path, { method: "POST", headers: { prefer: "wait=3" }, body: "frames" });
const textOf = (lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");

it("the relay passes on the request with a short wait and each line of the answer, and counts the answers by kind", async () => {
  const response = await post("/deliver");
  expect(asked!.request.headers["prefer"]).toBe("wait=1");
  asked!.response.end(textOf(LINES));
  expect(await response.text()).toBe(textOf(LINES));
  const answer = await post("/ask");
  asked!.response.end(textOf([REPLY, { key: "email_2/0/1", kind: "never_heard" }]));
  await answer.text();
  expect(Object.fromEntries(tally.counts)).toEqual({
    "left under way": 1,
    "not taken: memory": 1,
    "asked: known": 1,
    "asked: never_heard": 1,
  });
  expect([...tally.left]).toEqual(["email_2"]);
  expect(tally.wrong).toEqual([]);
});

it("the relay makes a host look like an earlier version: it refuses questions, gets no Prefer, and answers only with outcomes, without times", async () => {
  relay.isOld = true;
  expect((await post("/ask")).status).toBe(404);
  expect(asked).toBeNull();
  const response = await post("/deliver");
  expect(asked!.request.headers["prefer"]).toBeUndefined();
  asked!.response.write(textOf(LINES.toReversed()));
  const body = response.body!.getReader();
  const { done, value } = await body.read();
  expect([done, new TextDecoder().decode(value)]).toEqual([false, textOf([REPLY])]);
  asked!.response.end();
  expect((await body.read()).done).toBe(true);
});

it("the relay breaks off the answer if the host is gone, and the request if the worker ends it", async () => {
  const cut = await post("/deliver");
  asked!.response.write("{");
  asked!.response.destroy();
  await expect(cut.text()).rejects.toThrow("terminated");
  const left = await post("/deliver");
  const closed = once(asked!.response, "close");
  await left.body!.cancel();
  await closed;
});

it("the relay reports mail for a host that is being removed, but allows questions", async () => {
  relay.isLeaving = true;
  for (const path of ["/ask", "/deliver"]) {
    const response = await post(path);
    asked!.response.end();
    await response.text();
  }
  expect(tally.wrong).toEqual(["mail for a host that is leaving"]);
});
