// Counts the account's messages on the UTC day and its requests in the last second. The count of
// the day survives a restart.
import { StateMirror } from "../state-file.ts";
import { SendRefusal } from "./send-refusal.ts";
import type { ServiceSettings } from "./service-settings.ts";

const SECOND_MS = 1_000;

export class SendingQuota {
  readonly #file: StateMirror;
  #day = "";
  #sent = 0;
  #recent: number[] = [];

  constructor(path: string) {
    this.#file = new StateMirror(path, () => ({ day: this.#day, sent: this.#sent }));
    const kept = this.#file.read() as { day: string; sent: number } | undefined;
    if (kept) ({ day: this.#day, sent: this.#sent } = kept);
  }

  /** Returns the number of messages that were sent on the UTC day of `now`. */
  sentOn(now: number): number {
    return dayOf(now) === this.#day ? this.#sent : 0;
  }

  /** Counts a request. Throws a SendRefusal if there were too many requests in the last second. */
  countRequest({ rate_limit: limit }: ServiceSettings, now: number): void {
    if (limit === null) return;
    this.#recent = this.#recent.filter((at) => at > now - SECOND_MS);
    const words = "Rate limit exceeded. Please try again later.";
    if (this.#recent.length >= limit) throw new SendRefusal("E_RATE_LIMIT_EXCEEDED", words);
    this.#recent.push(now);
  }

  /** Counts a message. Throws a SendRefusal when the day's limit is reached. */
  countMessage({ daily_limit: limit }: ServiceSettings, now: number): void {
    const sent = this.sentOn(now);
    const words = `Daily limit exceeded: ${limit} messages a day.`;
    if (limit !== null && sent >= limit) throw new SendRefusal("E_DAILY_LIMIT_EXCEEDED", words);
    this.#set(dayOf(now), sent + 1);
  }

  reset(): void {
    this.#recent = [];
    this.#set("", 0);
  }

  #set(day: string, sent: number): void {
    this.#day = day;
    this.#sent = sent;
    this.#file.keep();
  }
}

function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}
