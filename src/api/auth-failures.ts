// Counts the failed authentications of one address (IPv4, or IPv6 /64), and blocks the address for
// a while after too many (contract.md §Failed authentication). Each address has one Durable Object
// for the API and another for /admin. The object is called only after a failure, so a valid
// credential never waits for it.
import type { FailureCounter } from "../rpc/failure-and-visit-calls.ts";
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env.ts";
import {
  AUTH_BLOCK_MS,
  AUTH_FAILURES_BEFORE_BLOCK,
  AUTH_FAILURE_REPEAT_MS,
  AUTH_FAILURE_WINDOW_MS,
} from "../limits.ts";

interface Failure {
  /** When the failure happened, in Unix milliseconds. */
  readonly at: number;
  /** The fingerprint of the credential that was presented. */
  readonly of: string;
}

interface State {
  /** The failures in the current window, oldest first. */
  failures: Failure[];
  /** The end of the block, in Unix milliseconds. */
  blockedUntil: number;
}

export class AuthFailures extends DurableObject<Env> implements FailureCounter {
  #state: State | undefined;

  /**
   * Counts a failure, unless the same credential failed less than a minute ago. `presented` is a
   * fingerprint of the credential; `now` is in Unix milliseconds. Returns the end of the block that
   * the address had before this failure, in Unix milliseconds. 0: the address was not blocked.
   */
  async fail(presented: string, now: number): Promise<number> {
    const state = await this.#load();
    if (state.blockedUntil > now) return state.blockedUntil;
    const recent = state.failures.filter(({ at }) => at > now - AUTH_FAILURE_WINDOW_MS);
    if (recent.some(({ at, of }) => of === presented && at > now - AUTH_FAILURE_REPEAT_MS))
      return 0;
    state.failures = [...recent, { at: now, of: presented }];
    if (state.failures.length >= AUTH_FAILURES_BEFORE_BLOCK) {
      state.blockedUntil = now + AUTH_BLOCK_MS;
      state.failures = [];
    }
    await this.ctx.storage.put("state", state);
    await this.ctx.storage.setAlarm(Math.max(state.blockedUntil, now + AUTH_FAILURE_WINDOW_MS));
    return 0;
  }

  /** Deletes the state of an address without recent failures. */
  override async alarm(): Promise<void> {
    this.#state = undefined;
    await this.ctx.storage.deleteAll();
  }

  async #load(): Promise<State> {
    this.#state ??= (await this.ctx.storage.get<State>("state")) ?? {
      failures: [],
      blockedUntil: 0,
    };
    return this.#state;
  }
}
