// The object that stores a team's latest requests. It keeps them in memory, and writes them to disk
// at most once a minute. A restart loses the requests since the last write. One object serves one
// team, so a team's failing loop does not affect other teams (docs/storage.md §The log of
// requests).
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../env.ts";
import { DAY_MS, MINUTE_MS, REQUEST_LOG_MS, SECOND_MS } from "../../limits.ts";
import type {
  RequestSearch,
  RequestRecorder,
  RequestRow,
  SeenRequests,
} from "../../rpc/request-log-calls.ts";
import { findRequest, listRequests, RequestRows } from "./request-rows.ts";
import { hasFreshLinks, useLinkOnce } from "./used-links.ts";

/**
 * Maximum numbers of rows for failures and for successful requests. The limits are separate, so
 * that successful requests do not displace failures.
 */
const FAILURES_KEPT = 200;
const SAMPLES_KEPT = 50;
const SAVED = "requests";
const SAVE_EVERY_MS = MINUTE_MS;
/**
 * The pause of an isolate after its call, and the minimum time between calls of different isolates.
 */
const PAUSE_MS = 5 * SECOND_MS;
const BETWEEN_CALLS_MS = SECOND_MS;

interface Saved {
  /** Unix milliseconds. */
  readonly at: number;
  readonly rows: readonly SeenRequests[];
}

export class RequestLog extends DurableObject<Env> implements RequestRecorder {
  readonly #failures = new RequestRows(FAILURES_KEPT);
  readonly #samples = new RequestRows(SAMPLES_KEPT);
  #savedAt: number;
  #isSaving = false;
  /** The time of the latest call that the object has allowed an isolate, Unix milliseconds. */
  #lastCallAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { at, rows } = ctx.storage.kv.get<Saved>(SAVED) ?? { at: 0, rows: [] };
    this.#savedAt = at;
    this.#add(rows);
  }

  tell(seen: readonly SeenRequests[]): number {
    const now = Date.now();
    this.#take(seen, now);
    this.#lastCallAt = Math.max(now + PAUSE_MS, this.#lastCallAt + BETWEEN_CALLS_MS);
    return this.#lastCallAt - now;
  }

  list(seen: readonly SeenRequests[], page: RequestSearch): RequestRow[] {
    this.#take(seen, Date.now());
    return listRequests(this.#all(), page);
  }

  find(seen: readonly SeenRequests[], id: string): RequestRow | null {
    this.#take(seen, Date.now());
    return findRequest(this.#all(), id);
  }

  /**
   * Records the use of a sign-in link, and returns whether it is the first use. The daily alarm
   * deletes the records of expired links.
   */
  async useLink(id: string, expiresAt: number, now: number): Promise<boolean> {
    const isFirst = useLinkOnce(this.ctx.storage.kv, id, expiresAt, now);
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now + DAY_MS);
    return isFirst;
  }

  async forget(): Promise<void> {
    this.#failures.take();
    this.#samples.take();
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  /** Deletes old requests each day, and all storage of an object without requests and links. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    this.#dropOld(now);
    const isEmpty = this.#all().length === 0;
    if (isEmpty && !hasFreshLinks(this.ctx.storage.kv, now)) return this.ctx.storage.deleteAll();
    if (!isEmpty) this.#save(now);
    await this.ctx.storage.setAlarm(now + DAY_MS);
  }

  #take(seen: readonly SeenRequests[], now: number): void {
    this.#dropOld(now);
    if (seen.length === 0) return;
    this.#add(seen);
    if (this.#isSaving) return;
    this.#isSaving = true;
    // The timer prevents the platform from unloading the object before the write.
    setTimeout(() => void this.#saveInTurn(), Math.max(0, this.#savedAt + SAVE_EVERY_MS - now));
  }

  async #saveInTurn(): Promise<void> {
    const now = Date.now();
    this.#isSaving = false;
    if (this.#all().length === 0) return;
    this.#save(now);
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now + DAY_MS);
  }

  #save(now: number): void {
    this.#savedAt = now;
    this.ctx.storage.kv.put(SAVED, { at: now, rows: this.#all() } satisfies Saved);
  }

  #add(seen: readonly SeenRequests[]): void {
    for (const one of seen) (one.kind.status < 400 ? this.#samples : this.#failures).add(one);
  }

  #dropOld(now: number): void {
    for (const rows of [this.#failures, this.#samples]) rows.dropOld(now - REQUEST_LOG_MS);
  }

  #all(): SeenRequests[] {
    return [...this.#failures.all(), ...this.#samples.all()];
  }
}
