// Tests attachments that a send names by URL (contract.md §Attachments).
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  ATTACHED_FILE_REQUESTS,
  ATTACHED_FILE_SILENCE_MS,
  ATTACHED_FILES_BYTES,
  TEAM_FILES_MEMORY_BYTES,
  ATTACHMENTS_PER_SEND,
} from "../../../../src/limits.ts";
import { holdTime } from "../../../support/held-time.ts";
import { bindings } from "../../../support/api.ts";
import { FakeReceiver } from "../../../support/fakes/fake-receiver.ts";
import { ledgersWith, overload } from "./failing-ledgers.ts";
import {
  acceptedId,
  contentOf,
  makeSender,
  problemsOf,
  send,
  sendBatch,
  textOf,
  usageOf,
} from "./sender-fixture.ts";
import { withCore } from "../../../support/every-core.ts";

const FILE = "https://files.example.com/a/invoice.pdf";

let host: FakeReceiver;

beforeEach(() => {
  host = new FakeReceiver().install(true);
  host.names["files.example.com"] = ["93.184.216.34"];
  host.failing["lost.example.com"] = ["A"];
  host.names["inside.example.com"] = ["93.184.216.34", "10.0.0.1"];
});

afterEach(() => {
  vi.restoreAllMocks();
});

const UNREACHABLE = "could not be fetched within 10 seconds";
const file = (path: string) => ({ filename: "invoice.pdf", path });

it("a file is attached as its server sends it, together with inline content", async () => {
  const sender = await makeSender();
  const bytes = Uint8Array.from({ length: 300 }, (_, at) => at % 256);
  host.answer = () => new Response(bytes);
  const attachments = [{ filename: "b.txt", content: "Yg==" }, file(FILE)];
  const id = acceptedId(await sender.send({ attachments }));
  expect((await contentOf(sender, id)).attachments).toEqual([
    expect.objectContaining({ filename: "b.txt", content: Uint8Array.of(98) }),
    { filename: "invoice.pdf", contentType: "application/pdf", contentId: null, content: bytes },
  ]);
});

it("a repetition, a refused key and an invalid send fetch nothing", async () => {
  const sender = await makeSender();
  const body = sender.body({ attachments: [file(FILE)] });
  const first = await send(sender, body, { key: "k" });
  expect(await send(sender, body, { key: "k" })).toMatchObject({
    status: 202,
    body: textOf(first),
  });
  await sender.send({ attachments: [file(FILE)], subject: "Other" }, { key: "k" });
  await sender.send({ attachments: [file(FILE)], from: "nowhere" });
  expect(host.received.map(({ url }) => url)).toEqual([FILE]);
  expect(await usageOf(sender)).toMatchObject({ messages: 1 });
});

it("a redirect is followed, and its target is judged like the URL", async () => {
  const sender = await makeSender();
  host.answer = ({ url }) =>
    url === FILE ? Response.redirect("https://files.example.com/b", 302) : new Response("b");
  expect(await sender.send({ attachments: [file(FILE)] })).toMatchObject({ status: 202 });
  for (const [target, problem] of [
    ["http://files.example.com/b", "redirects to a URL that must use https"],
    ["https://10.0.0.1/", "redirects to a URL that must be a public host"],
    ["https://inside.example.com/", "redirects to a URL that must be a public host: it has an"],
    [FILE, "redirects too often"],
  ] as const) {
    host.answer = () => Response.redirect(target, 302);
    expect(await sender.send({ attachments: [file(FILE)] })).toMatchObject({
      status: 422,
      body: expect.stringContaining(problem) as string,
    });
  }
});

const PUBLIC = "must be a public host";
const INSIDE = "https://inside.example.com/";
const NOT_PUBLIC = `${PUBLIC}: it has an address that is not public`;
const UNKNOWN = `${PUBLIC}: DNS has no address for it`;
const UNANSWERED = "has a host that DNS gives no answer for";
const MISSING = "can't be fetched: its server answers 404";
const TOO_LARGE = `makes the files larger than ${ATTACHED_FILES_BYTES} bytes together`;
const HALF = "x".repeat(ATTACHED_FILES_BYTES / 2 + 1);
const DECLARED = { headers: { "Content-Length": `${ATTACHED_FILES_BYTES + 1}` } };

it.each([
  ["a relative URL", "/a", undefined, "must be a URL"],
  ["plain http", "http://files.example.com/a", undefined, "must use https"],
  ["a private address", "https://192.168.0.1/a", undefined, PUBLIC],
  ["a name with a private address", INSIDE, undefined, NOT_PUBLIC],
  ["an unknown name", "https://none.example.com/", undefined, UNKNOWN],
  ["a name without an answer", "https://lost.example.com/", undefined, UNANSWERED],
  ["an error status", FILE, () => new Response("", { status: 404 }), MISSING],
  ["a connection that breaks", FILE, () => Promise.reject(new Error("closed")), UNREACHABLE],
  ["a length of too many bytes", FILE, () => new Response(null, DECLARED), TOO_LARGE],
  ["too many bytes", FILE, () => new Response(HALF), TOO_LARGE],
])("%s refuses the send, which is kept for repetitions", async (_, path, answer, problem) => {
  const sender = await makeSender();
  if (answer) host.answer = answer;
  const body = sender.body({ attachments: [file(path), file(path)] });
  const refused = await send(sender, body, { key: "k" });
  expect(refused).toMatchObject({ status: 422 });
  const problems = problemsOf(refused);
  expect(new Set(Object.values(problems).flat())).toEqual(new Set([problem]));
  expect(Object.keys(problems).join()).toMatch(/^attachments\.[01]\.path/);
  host.answer = () => new Response("mended");
  expect(await send(sender, body, { key: "k" })).toMatchObject({ status: 422 });
  expect(await usageOf(sender)).toMatchObject({ messages: 0, dailyUsed: 0 });
});

it("a batch takes no path, and an attachment needs content or a path", async () => {
  const sender = await makeSender();
  const emails = [sender.body({ attachments: [file(FILE)] })];
  expect(problemsOf(await sendBatch(sender, { emails }))).toEqual({
    "emails.0.attachments.0.path": ["is possible only in a single send"],
  });
  const refused = await sender.send({ attachments: [{ filename: "a" }] });
  expect(refused).toMatchObject({ status: 422 });
  expect(problemsOf(refused)).toEqual({ "attachments.0.content": ["is required"] });
});

describe("the requests of sends to the servers of files", () => {
  const all = () => Array.from({ length: ATTACHMENTS_PER_SEND }, (_, at) => file(`${FILE}?${at}`));
  const lookUps = () =>
    vi.mocked(fetch).mock.calls.filter(([input, init]) => {
      const { url } = new Request(input, init);
      return new URL(url).pathname === "/dns-query";
    }).length;

  it("end with the first file that can't be attached, and look up each host once", async () => {
    const sender = await makeSender();
    host.answer = ({ url }) => Response.redirect(`${url}&again`, 302);
    expect(await sender.send({ attachments: all() })).toMatchObject({ status: 422 });
    expect(host.received.length).toBeLessThanOrEqual(16);
    expect(lookUps()).toBe(2);
  });

  it("are at most two for each possible file in one send", async () => {
    const sender = await makeSender();
    host.answer = ({ url }) => {
      const hops = url.split("&").length;
      return hops < 4 ? Response.redirect(`${url}&again`, 302) : new Response("file");
    };
    const refused = await sender.send({ attachments: all() });
    expect(Object.values(problemsOf(refused))).toEqual([["redirects too often, or not to a URL"]]);
    expect(host.received.length).toBeLessThanOrEqual(ATTACHED_FILE_REQUESTS);
  });

  it("of a team over its share are refused like requests over its rate, and none is made", async () => {
    const sender = await makeSender({ limits: { requestsPerSecond: 10 } });
    vi.spyOn(Date, "now").mockReturnValue(Date.now());
    const answers = [];
    for (let sends = 0; sends < 3; sends += 1)
      answers.push(await send(sender, sender.body({ attachments: all() }), { key: `k${sends}` }));
    const busy = { kind: "thrown", refusal: { code: "rate_limited" } };
    expect(answers).toMatchObject([{ status: 202 }, { status: 202 }, busy]);
    expect(host.received).toHaveLength(2 * ATTACHMENTS_PER_SEND);
    vi.mocked(Date.now).mockReturnValue(Date.now() + 2_000);
    const again = await send(sender, sender.body({ attachments: all() }), { key: "k2" });
    expect(again).toMatchObject({ status: 202 });
  });

  it("leave the send's key free if the ledger is overloaded, or the send can't be judged", async () => {
    const sender = await makeSender({ limits: { requestsPerSecond: 5 } });
    const ledger = bindings.TEAM_LEDGER.getByName(sender.team.id);
    const abandon = vi.fn((key, lock) => ledger.abandon(key as string, lock as string));
    abandon.mockRejectedValueOnce(overload());
    vi.spyOn(Date, "now").mockReturnValue(Date.now());
    const body = sender.body({ attachments: all() });
    const unjudged = send(sender, body, {
      key: "k",
      env: withCore(sender.team.id, { withSession: null, prepare: null }),
    });
    await expect(unjudged).rejects.toThrow(TypeError);
    expect(await send(sender, body)).toMatchObject({ status: 202 });
    expect(await send(sender, body, { key: "l", env: ledgersWith({ abandon }) })).toMatchObject({
      kind: "thrown",
      refusal: { code: "overloaded" },
    });
    vi.mocked(Date.now).mockReturnValue(Date.now() + 10_000);
    for (const key of ["k", "l"]) {
      expect(await send(sender, body, { key })).toMatchObject({ status: 202 });
      vi.mocked(Date.now).mockReturnValue(Date.now() + 10_000);
    }
  });
});

describe("a server that falls silent", () => {
  /** Makes a response that gives a byte, and never the rest of its length. */
  function silent(length: number): Response {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Uint8Array.of(1)),
    });
    return new Response(body, { headers: { "Content-Length": String(length) } });
  }

  it("loses its share of memory after 3 seconds, and until then delays only its own team", async () => {
    const { pass } = holdTime(ATTACHED_FILE_SILENCE_MS / 2);
    const [sender, other] = [await makeSender(), await makeSender()];
    let begun = 0;
    const largest = Math.floor(TEAM_FILES_MEMORY_BYTES / ATTACHED_FILES_BYTES);
    host.answer = ({ url }) => {
      if (url === FILE) return new Response("x".repeat(1_000));
      begun += 1;
      return silent(ATTACHED_FILES_BYTES);
    };
    const sends = Array.from({ length: 2 * largest }, () =>
      sender.send({ attachments: [file(`${FILE}?silent`)] }),
    );
    await vi.waitFor(() => expect(begun).toBe(2 * largest));
    expect(await other.send({ attachments: [file(FILE)] })).toMatchObject({ status: 202 });
    pass();
    for (const answer of await Promise.all(sends))
      expect(Object.values(problemsOf(answer)).flat()).toEqual([
        "could not be fetched: its server paused for 3 seconds",
      ]);
    expect(await usageOf(sender)).toMatchObject({ messages: 0, dailyUsed: 0 });
    expect(await sender.send({ attachments: [file(FILE)] })).toMatchObject({ status: 202 });
  });

  it("leaves no memory for more large sends of the team, which may be repeated with their key", async () => {
    const { pass } = holdTime(ATTACHED_FILE_SILENCE_MS / 2);
    const sender = await makeSender();
    let begun = 0;
    host.answer = () => {
      begun += 1;
      return silent(ATTACHED_FILES_BYTES);
    };
    const text = "x".repeat(900_000);
    const body = sender.body({ text, attachments: [file(FILE)] });
    const bases = TEAM_FILES_MEMORY_BYTES - ATTACHED_FILES_BYTES;
    const sends = Array.from({ length: Math.floor(bases / 900_000) }, () => send(sender, body));
    await vi.waitFor(() => expect(begun).toBeGreaterThan(0));
    const refused = await send(sender, body, { key: "k" });
    expect(refused).toMatchObject({ kind: "thrown", refusal: { code: "rate_limited" } });
    pass();
    await Promise.all(sends);
    host.answer = () => new Response("file");
    expect(await send(sender, body, { key: "k" })).toMatchObject({ status: 202 });
  });
});
