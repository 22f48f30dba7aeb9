// Fetches one file that a send names by URL. Its host must be public, by the same rules as for
// webhook URLs. The hosts of redirects must be public too. Memory is reserved before the file's
// body is read. A server that pauses too long ends the fetch.
import { Buffer } from "node:buffer";
import type { Settings } from "../../../settings.ts";
import {
  ATTACHED_FILE_REDIRECTS,
  ATTACHED_FILE_SILENCE_MS,
  ATTACHED_FILES_BYTES,
  ATTACHED_FILES_MS,
  SECOND_MS,
} from "../../../limits.ts";
import { callProblem } from "../../../resources/call-targets/may-be-called.ts";
import { targetOptions, targetProblem } from "../../../resources/call-targets/call-target.ts";
import type { SendRequests } from "./file-requests.ts";

/**
 * All failures of connections have the same error text. With different texts, a caller could use
 * the service to scan ports.
 */
const UNREACHABLE = `could not be fetched within ${ATTACHED_FILES_MS / SECOND_MS} seconds`;
const TOO_LARGE = `makes the files larger than ${ATTACHED_FILES_BYTES} bytes together`;
const ASTRAY = "redirects too often, or not to a URL";
const SILENT = `could not be fetched: its server paused for ${ATTACHED_FILE_SILENCE_MS / SECOND_MS} seconds`;

/**
 * The content of a file, or the reason why it can't be attached. The reason is the rest of a
 * sentence that begins with the field's name. `busy` means that the caller must try the send again
 * after some time.
 */
type Fetched = { readonly content: Uint8Array } | { readonly problem: string } | "busy";

/** The state that all files of a send share. */
export interface FileRun {
  readonly settings: Settings;
  /** Ends all requests of the send. */
  readonly signal: AbortSignal;
  readonly requests: SendRequests;
  /** The reason why each host may not be called. Undefined means that the host may be called. */
  readonly hosts: Map<string, Promise<string | undefined>>;
  /** Maximum total bytes of the files that are not fetched yet. */
  readonly room: { left: number };
  /**
   * Waits for memory. `bytes` is the file's size, if known. Returns false if the memory does not
   * become free in time.
   */
  readonly reserve: (bytes: number | undefined) => Promise<boolean>;
}

export async function fetchFile(run: FileRun, url: URL): Promise<Fetched> {
  let place = url;
  for (let redirects = 0; redirects <= ATTACHED_FILE_REDIRECTS; redirects += 1) {
    const taken = run.requests.take(Date.now());
    if (taken === "spent") return "busy";
    if (taken === "over") break;
    const refused = await placeProblem(run, place);
    if (refused !== undefined)
      return { problem: redirects === 0 ? refused : `redirects to a URL that ${refused}` };
    const answer = await ask(run, place);
    if (answer === "busy" || !("location" in answer)) return answer;
    if (!URL.canParse(answer.location, place.href)) break;
    place = new URL(answer.location, place);
  }
  return { problem: ASTRAY };
}

/** Returns the reason why a URL may not be called. Looks up each host only once in a send. */
async function placeProblem({ settings, hosts }: FileRun, url: URL): Promise<string | undefined> {
  const problem = targetProblem(url, targetOptions(settings));
  if (problem !== undefined) return problem;
  const found = hosts.get(url.host) ?? callProblem(settings, url);
  hosts.set(url.host, found);
  return found;
}

async function ask(run: FileRun, url: URL): Promise<Fetched | { readonly location: string }> {
  try {
    const response = await fetch(url, { redirect: "manual", signal: run.signal });
    const location = response.headers.get("Location");
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      return { location };
    }
    if (response.ok) return await contentOf(response, run);
    await response.body?.cancel();
    return { problem: `can't be fetched: its server answers ${response.status}` };
  } catch {
    return { problem: UNREACHABLE };
  }
}

async function contentOf(response: Response, { room, reserve }: FileRun): Promise<Fetched> {
  const length = lengthOf(response);
  const isTooLarge = length !== undefined && length > room.left;
  if (isTooLarge || !(await reserve(length))) {
    await response.body?.cancel();
    return isTooLarge ? { problem: TOO_LARGE } : "busy";
  }
  const chunks: Uint8Array[] = [];
  const reader = response.body?.getReader();
  for (let read = reader?.read(); read !== undefined; read = reader?.read()) {
    const part = await unlessSilent(read);
    if (part !== "silent" && part.done) break;
    if (part !== "silent") room.left -= part.value.byteLength;
    if (part === "silent" || room.left < 0) {
      // The reader does not await the cancelation, because the server may not react to it.
      reader?.cancel().catch(() => undefined);
      return { problem: part === "silent" ? SILENT : TOO_LARGE };
    }
    chunks.push(part.value);
  }
  return { content: new Uint8Array(Buffer.concat(chunks)) };
}

/** Returns the length of the body if its header gives the length and the body is not encoded. */
function lengthOf({ headers }: Response): number | undefined {
  const length = headers.get("Content-Length") ?? "";
  return /^\d{1,12}$/.test(length) && !headers.has("Content-Encoding") ? Number(length) : undefined;
}

/**
 * Waits for a part of the body with two timers, one after the other. If other work kept the isolate
 * busy until the first timer ended, the part can still arrive during the second timer.
 */
async function unlessSilent<Part>(read: Promise<Part>): Promise<Part | "silent"> {
  const { promise, resolve } = Promise.withResolvers<"silent">();
  const half = ATTACHED_FILE_SILENCE_MS / 2;
  let timer = setTimeout(() => {
    timer = setTimeout(() => resolve("silent"), half);
  }, half);
  try {
    return await Promise.race([read, promise]);
  } finally {
    clearTimeout(timer);
  }
}
