// Tests attachments that a send names by URL (contract.md §Attachments).
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ATTACHED_FILES_BYTES } from "../../../../src/limits.ts";
import { FakeReceiver } from "../../../support/fakes/fake-receiver.ts";
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

const FILE = "https://files.example.com/a/invoice.pdf";

let host: FakeReceiver;

beforeEach(() => {
  host = new FakeReceiver().install(true);
  host.names["files.example.com"] = ["93.184.216.34"];
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
    ["http://files.example.com/b", "could not be fetched"],
    ["https://10.0.0.1/", "could not be fetched"],
    [FILE, "redirects too often"],
  ] as const) {
    host.answer = () => Response.redirect(target, 302);
    expect(await sender.send({ attachments: [file(FILE)] })).toMatchObject({
      status: 422,
      body: expect.stringContaining(problem) as string,
    });
  }
});

it.each([
  ["a relative URL", "/a", undefined, "must be a URL"],
  ["plain http", "http://files.example.com/a", undefined, "must use https"],
  ["a private address", "https://192.168.0.1/a", undefined, "must be a public host"],
  ["a name with a private address", "https://inside.example.com/", undefined, UNREACHABLE],
  ["an unknown name", "https://none.example.com/", undefined, UNREACHABLE],
  [
    "a status",
    FILE,
    () => new Response("", { status: 404 }),
    "can't be fetched: its server answers 404",
  ],
  ["a connection that breaks", FILE, () => Promise.reject(new Error("closed")), UNREACHABLE],
  [
    "too many bytes",
    FILE,
    () => new Response("x".repeat(ATTACHED_FILES_BYTES / 2 + 1)),
    `brings the files to more than ${ATTACHED_FILES_BYTES} bytes together`,
  ],
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
