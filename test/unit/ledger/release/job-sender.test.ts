// Tests the order in which a ledger's jobs and questions go to the queue, and that a call to the
// queue that never ends blocks no other call (src/ledger/release/job-sender.ts).
import { expect, it, vi } from "vitest";
import { JobSender } from "../../../../src/ledger/release/job-sender.ts";
import type { DeliverBody } from "../../../../src/rpc/queue-jobs.ts";

const JOBS = Array.from({ length: 250 }, (_, index) => ({
  emailId: `email_${index}`,
  recipientIndex: 0,
  contentGroup: index,
}));
const QUESTION = { emailId: "email_asked", recipientIndex: 0, attempt: 1, host: null };

it("a question goes to the queue after all jobs that wait with it", async () => {
  const batches: DeliverBody[][] = [];
  const sendBatch = (messages: Iterable<{ readonly body: DeliverBody }>) =>
    Promise.resolve(void batches.push(Array.from(messages, ({ body }) => body)));
  const queue = { sendBatch } as unknown as Queue<DeliverBody>;
  const sender = new JobSender(
    "team_1",
    () => queue,
    () => Promise.resolve(),
  );
  sender.send([], [QUESTION]);
  sender.send(JOBS, [QUESTION]);
  const isQuestion = (body: DeliverBody): boolean => "asks" in body;
  await vi.waitFor(() => expect(batches.flat().filter(isQuestion)).toHaveLength(2));
  expect(batches.map((bodies) => bodies.length)).toEqual([1, 100, 100, 51]);
  expect(batches.flat().map(isQuestion)).toEqual([true, ...JOBS.map(() => false), true]);
});

it("a batch is sent even if the previous call to the queue never ends", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const sendBatch = vi.fn(() => Promise.resolve());
  sendBatch.mockReturnValueOnce(new Promise(() => {}));
  const queue = { sendBatch } as unknown as Queue<DeliverBody>;
  const sent = vi.fn(() => Promise.resolve());
  const sender = new JobSender("team_1", () => queue, sent, 1);
  sender.send(JOBS.slice(0, 1), []);
  sender.send(JOBS.slice(1, 2), []);
  await vi.waitFor(() => expect(sent).toHaveBeenCalledOnce());
  expect(sendBatch).toHaveBeenCalledTimes(2);
});
