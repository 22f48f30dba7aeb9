// Sends every request of the console, so that one file knows whether the service answers. If a
// request gets no answer, the console repeats all unanswered requests at growing intervals. It
// stops when one retry gets an answer to each of them. A hidden tab pauses the retries.
import { useSyncExternalStore } from "react";
import { NoResponse } from "./failure.ts";
import type { Silence } from "./unanswered-time.ts";

/**
 * The session is a cookie. This header tells the service that the request comes from the console.
 */
export const CONSOLE_HEADER = { "X-Postern-Console": "1" } as const;

const DELAYS_MS = [2_000, 4_000, 8_000, 16_000, 30_000] as const;
/** A GET request counts as unanswered if its response headers take longer than this. */
const READ_WITHIN_MS = 30_000;
/** Statuses that a proxy or the edge returns when the worker does not answer. */
const FOR_ANOTHER = new Set([502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530]);
/** Every response of the service has this header (contract.md §Response headers). */
const OWN_HEADER = "X-Request-Id";

let silence: Silence | null = null;
let tries = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
/** True: at least one request got no answer since the latest retry began. */
let hasFailed = false;
const listeners = new Set<() => void>();
const repeats = new Set<() => Promise<unknown>>();
let waiting: (() => void)[] = [];

/** Sends a request to the service. Throws NoResponse if no answer comes. */
export async function ask(input: Request | string, init?: RequestInit): Promise<Response> {
  const request = input instanceof Request ? input : new Request(input, init);
  const stop = new AbortController();
  request.signal.addEventListener("abort", () => stop.abort());
  const limit =
    request.method === "GET" ? setTimeout(() => stop.abort(), READ_WITHIN_MS) : undefined;
  try {
    const response = await fetch(request, { signal: stop.signal, ...redirectsOf(request) });
    if (response.type === "opaqueredirect") return await loadAnew();
    if (FOR_ANOTHER.has(response.status) && !response.headers.has(OWN_HEADER))
      throw new NoResponse(`HTTP ${response.status} from a proxy in front of the service`);
    noteAnswer();
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    noteNoAnswer();
    throw error instanceof NoResponse ? error : new NoResponse(String(error), { cause: error });
  } finally {
    clearTimeout(limit);
  }
}

/**
 * Cloudflare Access redirects requests below /console to its sign-in page after its session has
 * ended. A fetch can't follow the redirect, because that page has another origin and the page's
 * policy refuses it.
 */
function redirectsOf({ url }: Request): RequestInit {
  return new URL(url).pathname.startsWith("/console/") ? { redirect: "manual" } : {};
}

/**
 * Reloads the page, so that Access asks the person to sign in. Then Access redirects back to this
 * page.
 */
function loadAnew(): Promise<never> {
  window.location.reload();
  return new Promise(() => undefined);
}

/** Returns the period in which the service does not answer. Null: the service answers. */
export function useSilence(): Silence | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => silence,
  );
}

/** Registers a function. Each retry calls it to repeat unanswered requests. */
export function onTry(repeat: () => Promise<unknown>): void {
  repeats.add(repeat);
}

/** Starts a retry immediately. */
export function tryNow(): void {
  void tryAgain();
}

/**
 * Loads a part of the console. While the service does not answer, the part is not requested,
 * because a browser may cache a module's failure until the page reloads. If loading fails, the part
 * is requested once more when the service answers again.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  if (silence !== null) await answered();
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

/** Requests a path that every deployment has, to learn whether the service answers. */
async function probe(): Promise<void> {
  try {
    const response = await ask("/console/session", { headers: CONSOLE_HEADER });
    // Reads the body, because an unread body would keep the connection open.
    await response.arrayBuffer();
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
  }
}

function noteNoAnswer(): void {
  hasFailed = true;
  if (silence !== null) return;
  tries = 0;
  wait(Date.now());
}

/** If an answer comes while the console waits for the next retry, the retry starts immediately. */
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
// The browser can be offline and still reach a service on this machine.
window.addEventListener("offline", () => void probe());
document.addEventListener("visibilitychange", tryNow);
