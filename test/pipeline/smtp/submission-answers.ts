// Reads the API's answers to submitted messages in tests.
import { expect } from "vitest";
import type { ErrorBody } from "../../support/api.ts";

/** The id of an accepted message. */
export async function readAccepted(response: Response): Promise<string> {
  expect(response.status).toBe(202);
  const { id, created_at: createdAt } = await response.json<{ id: string; created_at: string }>();
  expect(id).toMatch(/^email_[0-9a-f-]{36}$/);
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return id;
}

/** Returns the status with which a submitted message was refused, and the errors by path. */
export async function readRefusal(
  response: Response,
): Promise<[status: number, errors: Record<string, string[]> | undefined]> {
  return [response.status, (await response.json<ErrorBody>()).error.errors];
}
