// Caches the team's webhooks for the dispatch of rows (docs/storage.md §What an isolate remembers).
// The list is kept until the ledger learns of a change, but for at most a minute.
import { coreFor } from "../../db/client.ts";
import type { Env } from "../../env.ts";
import { CREDENTIAL_CACHE_MS } from "../../limits.ts";
import { listSubscriptions, type Subscription } from "../../resources/webhooks/store.ts";

export class Subscriptions {
  readonly #teamId: string;
  readonly #env: () => Env;
  #known: { readonly all: readonly Subscription[]; readonly until: number } | undefined;
  /**
   * Number of changes to the team's webhooks so far. If a webhook changes while the list of
   * webhooks is being read, the list is not kept in memory.
   */
  #version = 0;

  constructor(teamId: string, env: () => Env) {
    this.#teamId = teamId;
    this.#env = env;
  }

  /** The team's webhooks that are not disabled. */
  async list(now: number): Promise<readonly Subscription[]> {
    if (this.#known && now < this.#known.until) return this.#known.all;
    const version = this.#version;
    const all = (await listSubscriptions(coreFor(this.#env(), this.#teamId))).filter(
      ({ status }) => status !== "disabled",
    );
    if (version === this.#version) this.#known = { all, until: now + CREDENTIAL_CACHE_MS };
    return all;
  }

  forget(): void {
    this.#version += 1;
    this.#known = undefined;
  }
}
