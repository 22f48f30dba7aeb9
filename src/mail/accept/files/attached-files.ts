// Fetches the files that a send names by URL (contract.md §Attachments). All files together share
// one limit of bytes, of time and of requests. The first file that can't be attached stops the
// fetches of all other files, because the send is then refused.
import {
  ATTACHED_FILES_AT_ONCE,
  ATTACHED_FILES_BYTES,
  ATTACHED_FILES_MS,
} from "../../../limits.ts";
import { targetOptions, targetProblem } from "../../../resources/call-targets/call-target.ts";
import type { Settings } from "../../../settings.ts";
import type { StoredAttachment } from "../../message.ts";
import type { FilePaths } from "../attachments.ts";
import type { FieldProblems } from "../field-problems.ts";
import { fetchFile, type FileRun } from "./fetch-file.ts";
import type { SendRequests } from "./file-requests.ts";
import type { TakenRoom } from "./file-room.ts";

/** Time between two checks whether memory is free. */
const LOOK_MS = 50;

export interface FilesOfSend {
  readonly attachments: readonly StoredAttachment[];
  readonly paths: FilePaths;
}

/** The share of the isolate's memory, and of the team's requests, that a send may use. */
export interface FileShare {
  readonly held: TakenRoom;
  readonly requests: SendRequests;
}

/**
 * The content of each file by the index of its attachment, or the first file that can't be
 * attached.
 */
type FetchedFiles =
  | ReadonlyMap<number, Uint8Array>
  | { readonly index: number; readonly problem: string }
  | "busy";

/**
 * Returns all attachments. Those in `paths` have their fetched content. `refused` means that an
 * error was added to `problems`. `busy` means that the caller must try the send again after some
 * time.
 */
export async function fetchFiles(
  settings: Settings,
  files: FilesOfSend,
  { held, requests }: FileShare,
  problems: FieldProblems,
): Promise<readonly StoredAttachment[] | "refused" | "busy"> {
  const urls = readUrls(settings, files, problems);
  if (!urls) return "refused";
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), ATTACHED_FILES_MS);
  const room = { left: ATTACHED_FILES_BYTES };
  const { signal } = stop;
  const reserve = reserveOnce(held, urls.size === 1, signal);
  const run = { settings, signal, requests, hosts: new Map(), room, reserve };
  const fetched = await fetchAll(run, urls);
  // Ends the requests for the other files too.
  stop.abort();
  clearTimeout(late);
  if (fetched === "busy") return "busy";
  if ("problem" in fetched) {
    problems.invalid(`attachments.${fetched.index}.path`, fetched.problem);
    return "refused";
  }
  held.resize(ATTACHED_FILES_BYTES - room.left, Date.now());
  return files.attachments.map((attachment, index) => {
    const content = fetched.get(index);
    return content ? { ...attachment, content } : attachment;
  });
}

async function fetchAll(run: FileRun, urls: ReadonlyMap<number, URL>): Promise<FetchedFiles> {
  const contents = new Map<number, Uint8Array>();
  const { promise, resolve } = Promise.withResolvers<FetchedFiles>();
  const waiting = urls.entries();
  const fetchNext = async (): Promise<void> => {
    for (const [index, url] of waiting) {
      const fetched = await fetchFile(run, url);
      if (fetched === "busy") resolve("busy");
      else if ("problem" in fetched) resolve({ index, problem: fetched.problem });
      else {
        contents.set(index, fetched.content);
        continue;
      }
      return;
    }
    if (contents.size === urls.size) resolve(contents);
  };
  await Promise.race([
    promise,
    Promise.all(Array.from({ length: ATTACHED_FILES_AT_ONCE }, fetchNext)),
  ]);
  return promise;
}

/**
 * Returns the URLs by their attachment's index. Undefined means that an error was added to
 * `problems`.
 */
function readUrls(
  settings: Settings,
  { attachments, paths }: FilesOfSend,
  problems: FieldProblems,
): ReadonlyMap<number, URL> | undefined {
  const urls = new Map<number, URL>();
  const before = problems.count;
  for (const [index, attachment] of attachments.entries()) {
    const path = paths.get(attachment);
    if (path === undefined) continue;
    const url = URL.canParse(path) ? new URL(path) : undefined;
    const problem = url ? targetProblem(url, targetOptions(settings)) : "must be a URL";
    if (problem !== undefined) problems.invalid(`attachments.${index}.path`, problem);
    else if (url) urls.set(index, url);
  }
  return problems.count > before ? undefined : urls;
}

/**
 * Makes the function that waits for memory. A send reserves all its memory once, before it reads
 * the first file. Sends that have a part of their memory and wait for the rest could block each
 * other.
 */
function reserveOnce(held: TakenRoom, isOnly: boolean, signal: AbortSignal): FileRun["reserve"] {
  let reserved: Promise<boolean> | undefined;
  const reserve = async (bytes: number): Promise<boolean> => {
    while (!held.resize(bytes, Date.now())) {
      if (signal.aborted) return false;
      await scheduler.wait(LOOK_MS);
    }
    return true;
  };
  return (bytes) => (reserved ??= reserve((isOnly ? bytes : undefined) ?? ATTACHED_FILES_BYTES));
}
