// Calls the operator API. Retries if it does not answer for a moment.
import { setTimeout as wait } from "node:timers/promises";
import { call, NoAnswer, wordsOf } from "../setup/json-call.ts";
import { SetupProblem } from "../setup/setup-problem.ts";

export interface Api {
  readonly url: string;
  readonly adminToken: string;
  readonly say: (line: string) => void;
}

const TIMEOUT_MS = 30_000;
const ATTEMPTS = 5;
const ATTEMPT_EVERY_MS = 2_000;

/**
 * Returns the body of a 200. For any other status it throws a SetupProblem with the answer's
 * message.
 */
export async function ask<Body>(
  { url, adminToken }: Api,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await call(method, `${url}${path}`, {
      token: adminToken,
      body,
      timeoutMs: TIMEOUT_MS,
    }).catch((error: unknown) => {
      if (error instanceof NoAnswer) return error;
      throw error;
    });
    if (!(answer instanceof NoAnswer) && answer.status === 200) return answer.json as Body;
    const isPassing = answer instanceof NoAnswer || answer.status >= 500;
    const words = answer instanceof NoAnswer ? answer.message : wordsOf(answer);
    if (!isPassing || attempt === ATTEMPTS)
      throw new SetupProblem(
        `${method} ${url}${path}: ${words}`,
        isPassing ? "run this again" : "",
      );
    await wait(attempt * ATTEMPT_EVERY_MS);
  }
}
