// Tests the consumer in src/resources/domains/cleanup-consumer.ts.
import { expect, it, vi } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import { QUEUE_ATTEMPTS } from "../../../../src/resources/dead-letters/job-queues.ts";
import { consumeDnsCleanup } from "../../../../src/resources/domains/cleanup-consumer.ts";
import { publishTxt, removeRecord } from "../../../../src/resources/domains/publisher.ts";
import { create, env, newTeam, randomName, settings } from "./calls.ts";
import type { DnsCleanupJob } from "../../../../src/rpc/queue-jobs.ts";
import { consumeBatch } from "../../../support/fakes/queue-batch.ts";
import { outsideOfEachTest } from "./outside.ts";

const QUEUE = "postern-dns-cleanup";
const ACKED = { acked: ["m0"], retried: [] };
const outside = outsideOfEachTest();

function consume(jobs: readonly DnsCleanupJob[], attempts = 1) {
  return consumeBatch(QUEUE, jobs, (batch) => consumeDnsCleanup(batch, env), attempts);
}

async function publish(name: string): Promise<string> {
  const publication = await publishTxt(settings, { name, text: "v=DKIM1; p=" });
  if (publication.kind !== "published") throw new Error(publication.reason);
  return publication.recordId;
}

it("the consumer removes the records of a deleted domain", async () => {
  const recordIds = [await publish("a.example"), await publish("b.example")];
  const other = await publish("c.example");
  expect(await consume([{ recordIds, domainId: newId("domain") }])).toEqual(ACKED);
  expect([...outside.published.keys()]).toEqual([other]);
});

it("the consumer counts a record that is already gone as removed", async () => {
  expect(await consume([{ recordIds: ["0123456789abcdef"] }])).toEqual(ACKED);
});

it("the consumer acknowledges and retries each job on its own", async () => {
  const [stuck, free] = [await publish("a.example"), await publish("b.example")];
  outside.onApi = (request) =>
    request.url.endsWith(stuck) ? new Response(null, { status: 500 }) : undefined;
  const answer = await consume([{ recordIds: [stuck] }, { recordIds: [free] }]);
  expect(answer).toEqual({ acked: ["m1"], retried: ["m0"] });
});

it("the consumer gives up an unknown body at once, without its content, and does the other jobs", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const free = await publish("b.example");
  const malformed = [{ recordIds: "a" }, { recordIds: [1] }, { recordIds: [], names: "Dear Ada" }];
  const poison = [null, "text", {}, ...malformed] as unknown as DnsCleanupJob[];
  expect(await consume([...poison, { recordIds: [free] }])).toEqual({
    acked: ["m0", "m1", "m2", "m3", "m4", "m5", "m6"].toSorted(),
    retried: [],
  });
  expect(outside.published.has(free)).toBe(false);
  const { results } = await env.DB.prepare(
    "SELECT body, error FROM dead_letters WHERE queue = 'postern-dns-cleanup'",
  ).all();
  expect(results.filter(({ error }) => error === "the body is not a job")).toHaveLength(
    poison.length,
  );
  expect(JSON.stringify(results)).not.toContain("Ada");
});

it("the consumer makes a dead letter of a job that fails on its last attempt, so that it can be put back", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const stuck = await publish("a.example");
  outside.onApi = () => new Response(null, { status: 500 });
  expect(await consume([{ recordIds: [stuck] }], QUEUE_ATTEMPTS[QUEUE])).toEqual(ACKED);
  const row = await env.DB.prepare("SELECT error, attempts FROM dead_letters WHERE body = ?")
    .bind(JSON.stringify({ recordIds: [stuck] }))
    .first();
  const error = "not all records could be removed";
  expect(row).toEqual({ error, attempts: QUEUE_ATTEMPTS[QUEUE] });
});

it("the consumer keeps the records of an existing domain and drops the job after several attempts", async () => {
  const { id } = await create(newTeam(), randomName());
  const job = { recordIds: [...outside.published.keys()], domainId: id };
  expect(await consume([job])).toEqual({ acked: [], retried: ["m0"] });
  expect(await consume([job], 4)).toEqual(ACKED);
  expect(outside.published.size).toBe(2);
});

it("the consumer removes possibly published records by name, and nothing else of the zone", async () => {
  await publish("ps1.abc.dkim.postern.test");
  const other = await publish("ps1.abd.dkim.postern.test");
  const names = ["ps1.abc.dkim.postern.test", "ps2.abc.dkim.postern.test"];
  expect(await consume([{ recordIds: [], names }])).toEqual(ACKED);
  expect([...outside.published.keys()]).toEqual([other]);
});

it("the consumer is not misled by an API that lists the whole zone", async () => {
  const other = await publish("www.postern.test");
  const result = [{ id: other, type: "TXT", name: "www.postern.test" }, null, { id: 7 }];
  outside.onApi = ({ method }) =>
    method === "GET" ? Response.json({ success: true, result }) : undefined;
  const names = ["ps1.abc.dkim.postern.test"];
  expect(await consume([{ recordIds: [], names }])).toEqual(ACKED);
  expect(outside.published.size).toBe(1);
});

it("the consumer retries while the API cannot list records", async () => {
  outside.onApi = () => new Response("oops", { status: 502 });
  const names = ["ps1.abc.dkim.postern.test"];
  expect(await consume([{ recordIds: [], names }])).toEqual({ acked: [], retried: ["m0"] });
});

it("a call to a silent API ends in time: a publication is unclear, and a removal has failed", async () => {
  vi.restoreAllMocks();
  vi.spyOn(globalThis, "fetch").mockImplementation(
    (_input, init) =>
      new Promise((_resolve, reject) =>
        init?.signal?.addEventListener("abort", () =>
          reject(new DOMException("late", "TimeoutError")),
        ),
      ),
  );
  expect(await publishTxt(settings, { name: "a.example", text: "x" }, 20)).toEqual({
    kind: "unclear",
    reason: "TimeoutError",
  });
  expect(await removeRecord(settings, "id", 20)).toBe(false);
});
