// Counts failed authentications of one address (IPv4, or IPv6 /64) and blocks it for a while after too many (wire.md "Values").
// A Durable Object per address, asked only after a failure or for a key that is not in the isolate's cache (design.md section 3).
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env.ts";
import { AUTH_BLOCK_MS, AUTH_FAILURES_BEFORE_BLOCK, AUTH_FAILURE_WINDOW_MS } from "../limits.ts";

interface State {
  /** Times of the failures in the window, oldest first, Unix milliseconds. */
  failures: number[];
  blockedUntil: number;
}

export class AuthFailures extends DurableObject<Env> {
  #state: State | undefined;

  /** Unix milliseconds until which the address is blocked; 0: it is not. */
  async blockedUntil(now: number): Promise<number> {
    const { blockedUntil } = await this.#load();
    return blockedUntil > now ? blockedUntil : 0;
  }

  /** Notes a failure; answers as blockedUntil(), the new failure counted. */
  async fail(now: number): Promise<number> {
    const state = await this.#load();
    if (state.blockedUntil > now) return state.blockedUntil;
    state.failures = [...state.failures.filter((at) => at > now - AUTH_FAILURE_WINDOW_MS), now];
    if (state.failures.length >= AUTH_FAILURES_BEFORE_BLOCK) {
      state.blockedUntil = now + AUTH_BLOCK_MS;
      state.failures = [];
    }
    await this.ctx.storage.put("state", state);
    await this.ctx.storage.setAlarm(Math.max(state.blockedUntil, now + AUTH_FAILURE_WINDOW_MS));
    return state.blockedUntil > now ? state.blockedUntil : 0;
  }

  /** An address that has been quiet leaves nothing behind. */
  override async alarm(): Promise<void> {
    this.#state = undefined;
    await this.ctx.storage.deleteAll();
  }

  async #load(): Promise<State> {
    this.#state ??= (await this.ctx.storage.get<State>("state")) ?? { failures: [], blockedUntil: 0 };
    return this.#state;
  }
}
