// Manages the webhook of `postern webhooks listen`. Each run of the command creates a webhook, and
// deletes the webhook when the run ends. If a run was killed, the next run deletes the webhook of
// the killed run.
import { hostname } from "node:os";
import { AbsentError } from "../../client/client-errors.ts";
import type { Postern } from "../../client/postern.ts";
import type { CreateWebhookRequest } from "../../generated/types.ts";

const HOSTNAME_CHARACTERS = 100;

export interface DevelopmentWebhook {
  readonly id: string;
  readonly signing_secret: string;
}

export function createWebhook(
  postern: Postern,
  url: string,
  events: CreateWebhookRequest["events"],
): Promise<DevelopmentWebhook> {
  return postern.webhooks.create({ name: nameOf(process.pid), url, events });
}

/** Deletes the webhook. Succeeds if the webhook is already gone. */
export async function removeWebhook(postern: Postern, id: string): Promise<void> {
  try {
    await postern.webhooks.delete(id);
  } catch (error) {
    if (!(error instanceof AbsentError)) throw error;
  }
}

/**
 * Deletes the webhooks that earlier runs on this machine did not delete. Returns the number of
 * deleted webhooks.
 */
export async function removeStaleWebhooks(postern: Postern): Promise<number> {
  const left: string[] = [];
  for await (const { id, name } of postern.webhooks.list({ limit: 100 })) {
    const pid = Number(/ (\d+)$/.exec(name)?.[1]);
    if (name === nameOf(pid) && (pid === process.pid || !isRunning(pid))) left.push(id);
  }
  for (const id of left) await removeWebhook(postern, id);
  return left.length;
}

/**
 * Names the webhook after this machine and process, so that a later run can tell whether the
 * process still runs.
 */
function nameOf(pid: number): string {
  return `postern webhooks listen, ${hostname().slice(0, HOSTNAME_CHARACTERS)}, process ${pid}`;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
