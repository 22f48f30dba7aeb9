// Sends batches in tests, and describes the answers that they get.
import { expect } from "vitest";
import {
  type FixtureSender,
  makeSender,
  problemsOf,
  RATE_HEADERS,
  type Result,
  sendBatch,
  textOf,
  usageOf,
} from "../sender-fixture.ts";

const ID = expect.stringMatching(
  /^email_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
) as string;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
export const FOREIGN = { from: "a@elsewhere.example" };
export const FROM_FOREIGN = {
  type: "validation_error",
  message:
    "The request is not valid: from must be on a verified domain of the team: " +
    "elsewhere.example is not one",
  errors: { from: ["must be on a verified domain of the team: elsewhere.example is not one"] },
};

interface BatchItem {
  readonly status: string;
  readonly index: number;
  readonly id?: string;
  readonly error?: Record<string, unknown>;
}

export interface BatchBody {
  readonly summary: { readonly total: number; readonly queued: number; readonly failed: number };
  readonly data: readonly BatchItem[];
}

/** Sends a batch of valid entries. `changes` has the changes to each entry. */
export function batch(
  sender: FixtureSender,
  changes: readonly Record<string, unknown>[],
  options: Parameters<typeof sendBatch>[2] = {},
): Promise<Result> {
  return sendBatch(sender, { emails: changes.map((change) => sender.body(change)) }, options);
}

export const bodyOf = (result: Result): BatchBody => JSON.parse(textOf(result)) as BatchBody;

/** Returns the member `errors` of a response with status 400. */
export function errorsOf(result: Result): Record<string, string[]> {
  expect(result).toMatchObject({ kind: "reply", status: 400 });
  return problemsOf(result);
}

export const queuedItem = (index: number) => ({
  status: "queued",
  index,
  id: ID,
  created_at: TIME,
});
export const failedItem = (index: number, error: unknown) => ({ status: "failed", index, error });
export const cappedItem = (index: number, retryAfter: unknown = expect.any(Number)) =>
  failedItem(index, {
    type: "quota_exceeded",
    message: expect.stringContaining("topic_cardinality") as string,
    scope: "topic_cardinality",
    limit: 1,
    retry_after_seconds: retryAfter,
  });

/** Makes a sender that may use one topic an hour. */
export const makeCapped = (): Promise<FixtureSender> =>
  makeSender({ labelCaps: { topicPerHour: 1 } });

/**
 * Repeats a request, and expects the same status and bytes. The repetition must accept no further
 * message.
 */
export async function expectReplay(
  sender: FixtureSender,
  first: Result,
  again: () => Promise<Result>,
): Promise<void> {
  const books = await usageOf(sender);
  expect(await again()).toEqual({
    ...first,
    headers: { ...RATE_HEADERS, "Idempotent-Replayed": "true" },
  });
  expect(await usageOf(sender)).toEqual(books);
}
