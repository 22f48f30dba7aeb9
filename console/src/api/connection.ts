// Every request of the console goes out here, so that one place knows whether the service answers.
// After a request without an answer it tries again by itself, more and more rarely, until a whole
// round of what failed is answered. A hidden tab waits until it is seen.
import { useSyncExternalStore } from "react";
import { Unanswered } from "./failure.ts";
import type { Silence } from "./silence.ts";

/** The session is a cookie; this header tells the service that the console itself asks. */
export const CONSOLE_HEADER = { "X-Postern-Console": "1" } as const;

const DELAYS_MS = [2_000, 4_000, 8_000, 16_000, 30_000] as const;
/** A read without the head of an answer counts as unanswered then. */
const READ_WITHIN_MS = 30_000;
/** Statuses by which a proxy or the edge speaks for a worker that does not answer. */
const FOR_ANOTHER = new Set([502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530]);
/** Every answer of the service has it (contract.md §Response headers). */
const OWN_HEADER = "X-Request-Id";

let silence: Silence | null = null;
let tries = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
/** True if a request of the present round had no answer. */
let hasFailed = false;
const listeners = new Set<() => void>();
const repeats = new Set<() => Promise<unknown>>();
let waiting: (() => void)[] = [];

/** Makes a request of the service. Throws an Unanswered. */
export async function ask(input: Request | string, init?: RequestInit): Promise<Response> {
  const request = input instanceof Request ? input : new Request(input, init);
  const stop = new AbortController();
  request.signal.addEventListener("abort", () => stop.abort());
  const limit =
    request.method === "GET" ? setTimeout(() => stop.abort(), READ_WITHIN_MS) : undefined;
  try {
    const response = await fetch(request, { signal: stop.signal });
    if (FOR_ANOTHER.has(response.status) && !response.headers.has(OWN_HEADER))
      throw new Unanswered(`HTTP ${response.status} from before the service`);
    noteAnswer();
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    noteNoAnswer();
    throw error instanceof Unanswered ? error : new Unanswered(String(error), { cause: error });
  } finally {
    clearTimeout(limit);
  }
}

/** Returns the silence of the service; null: it answers. */
export function useSilence(): Silence | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => silence,
  );
}

/** Has `repeat` ask again, in each try, for what had no answer. */
export function onTry(repeat: () => Promise<unknown>): void {
  repeats.add(repeat);
}

/** Tries at once. */
export function tryNow(): void {
  void tryAgain();
}

/**
 * Loads a part of the console. If it does not come, the part is asked for once more as soon as the
 * service answers.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch {
    await answered();
    return load();
  }
}

async function answered(): Promise<void> {
  await probe();
  if (silence !== null) await new Promise<void>((resolve) => waiting.push(resolve));
}

/** Asks for what every deployment has. Any answer will do. */
async function probe(): Promise<void> {
  try {
    const response = await ask("/console/session", { headers: CONSOLE_HEADER });
    // A body that is not read keeps its connection.
    await response.arrayBuffer();
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
  }
}

function noteNoAnswer(): void {
  hasFailed = true;
  if (silence !== null) return;
  tries = 0;
  wait(Date.now());
}

/** An answer outside a round brings the next round forward. */
function noteAnswer(): void {
  if (silence !== null && silence.nextAt !== null) tryNow();
}

function wait(since: number): void {
  const delay = DELAYS_MS[Math.min(tries, DELAYS_MS.length - 1)] ?? 0;
  tries += 1;
  clearTimeout(timer);
  timer = setTimeout(tryNow, delay);
  tell({ since, nextAt: Date.now() + delay, isOffline: !navigator.onLine });
}

async function tryAgain(): Promise<void> {
  if (silence === null || silence.nextAt === null || document.hidden) return;
  clearTimeout(timer);
  const { since } = silence;
  tell({ ...silence, nextAt: null });
  hasFailed = false;
  await probe();
  if (!hasFailed) await Promise.all([...repeats].map((repeat) => repeat()));
  if (hasFailed) {
    wait(since);
    return;
  }
  tell(null);
  for (const resume of waiting) resume();
  waiting = [];
}

function tell(next: Silence | null): void {
  silence = next;
  for (const listener of listeners) listener();
}

window.addEventListener("online", tryNow);
// A service on this machine answers without a network.
window.addEventListener("offline", () => void probe());
document.addEventListener("visibilitychange", tryNow);
