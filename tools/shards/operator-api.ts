// Calls the operator API. Retries for a short time if the API does not answer.
import { setTimeout as wait } from "node:timers/promises";
import { call, NoHttpResponse, errorTextOf } from "../setup/json-call.ts";
import { SetupProblem } from "../setup/setup-problem.ts";

export interface Api {
  readonly url: string;
  readonly adminToken: string;
  readonly say: (line: string) => void;
}

const TIMEOUT_MS = 30_000;
const ATTEMPTS = 5;
const ATTEMPT_EVERY_MS = 2_000;

/** Returns the body of a 200. Any other status throws a SetupProblem with its message. */
export async function callOperatorApi<Body>(
  { url, adminToken }: Api,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> {
  for (let attempt = 1; ; attempt += 1) {
    const options = { token: adminToken, body, timeoutMs: TIMEOUT_MS };
    const answer = await call(method, `${url}${path}`, options);
    if (!(answer instanceof NoHttpResponse) && answer.status === 200) return answer.json as Body;
    const isPassing = answer instanceof NoHttpResponse || answer.status >= 500;
    const words = answer instanceof NoHttpResponse ? answer.message : errorTextOf(answer);
    if (!isPassing || attempt === ATTEMPTS)
      throw new SetupProblem(
        `${method} ${url}${path}: ${words}`,
        isPassing ? "run this again" : "",
      );
    await wait(attempt * ATTEMPT_EVERY_MS);
  }
}
