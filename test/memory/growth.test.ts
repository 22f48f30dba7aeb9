// Tests that the memory of the worker's isolate does not grow with the number of sent messages. The
// ledgers and outboxes share this isolate. workerd's inspector measures it after a garbage
// collection, when no message is open.
import { afterAll, expect, it } from "vitest";
import { Cleanup } from "../../tools/harness/cleanup.ts";
import { SteadySends } from "../../tools/harness/steady-sends.ts";
import { startAcceptingGateway } from "../../tools/harness/accepting-gateway.ts";
import { VARS } from "../../tools/harness/tenant.ts";
import { bundleWorker } from "../../tools/harness/worker-bundle.ts";
import { startWorker } from "../../tools/harness/workerd.ts";

interface Share {
  readonly perRequest: number;
  /**
   * Number of messages sent before the first measurement (`few`) and before the last one (`many`).
   */
  readonly few: number;
  readonly many: number;
}

const SHARES: readonly Share[] = [
  { perRequest: 1, few: 400, many: 2_000 },
  { perRequest: 100, few: 1_600, many: 8_000 },
];
/**
 * Usual growth takes half of this limit: V8 compiles functions that run often. An empty Map for
 * each of the 8,000 messages between the measurements would take 0.8 MB more.
 */
const ALLOWED_BYTES = 900_000;
/** The least memory that an isolate needs to run the worker. */
const WORKER_BYTES = 5_000_000;

const cleanup = new Cleanup();
afterAll(() => cleanup.run());

it("the worker's isolate holds at most 0.9 MB more after 10,000 messages than after 2,000", async () => {
  const worker = await startWorker(cleanup, await bundleWorker(cleanup), {
    vars: {
      ...VARS,
      EGRESS_URL: await startAcceptingGateway(cleanup),
      WEBHOOK_ALLOW_PRIVATE: "true",
      LOG_LEVEL: "warning",
    },
    isInspected: true,
  });
  const shares = await Promise.all(
    SHARES.map(async ({ perRequest, ...marks }) => {
      return { ...marks, sends: await SteadySends.start(cleanup, worker, perRequest) };
    }),
  );
  const heldAfter = async (mark: "few" | "many"): Promise<number> => {
    await Promise.all(shares.map(({ sends, ...marks }) => sends.sendUpTo(marks[mark])));
    const { heap, buffers } = await (await worker.inspect()).bytesHeld();
    return heap + buffers;
  };
  const before = await heldAfter("few");
  const after = await heldAfter("many");
  expect(before).toBeGreaterThan(WORKER_BYTES);
  expect(after - before, `${before} bytes before, ${after} after`).toBeLessThan(ALLOWED_BYTES);
});
