// Fetches the files that a send names by URL (contract.md §Attachments). Their hosts must be
// public, by the same rules as for webhook URLs. All files together share one limit of bytes and
// one limit of time.
import { Buffer } from "node:buffer";
import type { Settings } from "../../settings.ts";
import {
  ATTACHED_FILE_REDIRECTS,
  ATTACHED_FILES_BYTES,
  ATTACHED_FILES_MS,
  SECOND_MS,
} from "../../limits.ts";
import { mayBeCalled } from "../../resources/webhooks/may-be-called.ts";
import { targetOptions, targetProblem } from "../../resources/webhooks/webhook-target.ts";
import type { StoredAttachment } from "../message.ts";
import type { FilePaths } from "./attachments.ts";
import type { Findings } from "./findings.ts";

/**
 * Different failures have the same error text. With different texts, a caller could use the service
 * to scan ports.
 */
const UNREACHABLE = `could not be fetched within ${ATTACHED_FILES_MS / SECOND_MS} seconds`;
const TOO_LARGE = `brings the files to more than ${ATTACHED_FILES_BYTES} bytes together`;
const ASTRAY = "redirects too often, or not to a URL";

/**
 * The content of a file, or the reason why it can't be attached. The reason is the rest of a
 * sentence that begins with the field's name.
 */
type Fetched = { readonly content: Uint8Array } | { readonly problem: string };

/** Maximum total bytes of the files that are not fetched yet. */
interface Room {
  left: number;
}

/**
 * Returns all attachments. Those in `paths` have their fetched content. Undefined: an error was
 * added to `findings`.
 */
export async function fetchFiles(
  settings: Settings,
  attachments: readonly StoredAttachment[],
  paths: FilePaths,
  findings: Findings,
): Promise<readonly StoredAttachment[] | undefined> {
  const room = { left: ATTACHED_FILES_BYTES };
  const signal = AbortSignal.timeout(ATTACHED_FILES_MS);
  const before = findings.count;
  const whole = await Promise.all(
    attachments.map(async (attachment, index) => {
      const path = paths.get(attachment);
      if (path === undefined) return attachment;
      const fetched = await fetchFile(settings, path, room, signal);
      if ("content" in fetched) return { ...attachment, content: fetched.content };
      findings.invalid(`attachments.${index}.path`, fetched.problem);
      return attachment;
    }),
  );
  return findings.count > before ? undefined : whole;
}

async function fetchFile(
  settings: Settings,
  path: string,
  room: Room,
  signal: AbortSignal,
): Promise<Fetched> {
  if (!URL.canParse(path)) return { problem: "must be a URL" };
  let url = new URL(path);
  const problem = targetProblem(url, targetOptions(settings));
  if (problem !== undefined) return { problem };
  for (let redirects = 0; redirects <= ATTACHED_FILE_REDIRECTS; redirects += 1) {
    const answer = await ask(settings, url, room, signal);
    if (!("location" in answer)) return answer;
    if (!URL.canParse(answer.location, url.href)) break;
    url = new URL(answer.location, url);
  }
  return { problem: ASTRAY };
}

async function ask(
  settings: Settings,
  url: URL,
  room: Room,
  signal: AbortSignal,
): Promise<Fetched | { readonly location: string }> {
  try {
    if (!(await mayBeCalled(settings, url))) return { problem: UNREACHABLE };
    const response = await fetch(url, { redirect: "manual", signal });
    const location = response.headers.get("Location");
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      return { location };
    }
    if (response.ok) return await contentOf(response, room);
    await response.body?.cancel();
    return { problem: `can't be fetched: its server answers ${response.status}` };
  } catch {
    return { problem: UNREACHABLE };
  }
}

async function contentOf(response: Response, room: Room): Promise<Fetched> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) {
    room.left -= chunk.byteLength;
    if (room.left < 0) return { problem: TOO_LARGE };
    chunks.push(chunk);
  }
  return { content: new Uint8Array(Buffer.concat(chunks)) };
}
