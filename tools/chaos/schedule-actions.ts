// The clients that schedule messages, and move or cancel them near their due time (contract.md
// §Scheduled sends). Each client repeats its action until the answer is certain.
import { setTimeout as sleep } from "node:timers/promises";
import { callOnce, type ChaosTarget, isLate, isRefusal, type SentMessage } from "./clients.ts";
import type { PlannedSchedule } from "./plan-schedule.ts";

const PAUSE_MS = 100;

/** Moves or cancels accepted messages as planned. */
export async function applyPlannedAction(
  target: ChaosTarget,
  { act, actAfterMs, moveByMs }: PlannedSchedule,
  sent: readonly SentMessage[],
): Promise<void> {
  const at = sent[0]?.notBefore ?? 0;
  if (act === "wait") return;
  await sleep(Math.max(0, at + actAfterMs - Date.now()));
  await Promise.all(
    sent
      .filter(({ emailId }) => emailId !== null)
      .map((message) =>
        act === "cancel" ? cancel(target, message) : move(target, message, at + moveByMs),
      ),
  );
}

async function cancel(target: ChaosTarget, message: SentMessage): Promise<void> {
  if ((await ask(target, message, "POST", "/cancel")) === 200) message.isCanceled = true;
}

/**
 * Moves a message to another time. If the service answers that the message was already released,
 * the message may come at the old or at the new time. The reason is that an earlier try may have
 * moved the message and lost its answer.
 */
async function move(target: ChaosTarget, message: SentMessage, to: number): Promise<void> {
  const body = { scheduled_at: new Date(to).toISOString() };
  const status = await ask(target, message, "PATCH", "", body);
  message.notBefore = status === 200 ? to : Math.min(to, message.notBefore);
}

/**
 * Repeats a call until the answer is certain, and returns its status. Certain answers are 200, 409,
 * a refusal, and the answer that the new time has passed.
 */
async function ask(
  target: ChaosTarget,
  { emailId, log }: SentMessage,
  method: string,
  path: string,
  body?: object,
): Promise<number> {
  for (;;) {
    const { status, text } = await callOnce(target, method, `/v1/email/${emailId}${path}`, body);
    const isCertain = status === 200 || status === 409 || (status === 422 && isLate(text));
    const what = isCertain ? "answered" : isRefusal(status) ? "refused" : "again";
    log.push({ at: Date.now(), what: `${what}: ${method}${path} ${status} ${text.slice(0, 200)}` });
    if (what !== "again") return status;
    await sleep(PAUSE_MS);
  }
}
