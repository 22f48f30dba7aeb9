// Manages the webhook of `npm run listen` through the API alone: it is created for one run and
// deleted at its end. The next run deletes the webhook of a run that was killed.
import { hostname } from "node:os";
import { StartProblem } from "../dev-settings.ts";

const REQUEST_TIMEOUT_MS = 10_000;
/** More webhooks than a team may have. */
const LIST_LIMIT = 100;
const HOSTNAME_CHARACTERS = 100;

export interface DevelopmentApi {
  /** Has no final slash. */
  readonly apiUrl: string;
  readonly apiKey: string;
}

export interface DevelopmentWebhook {
  readonly id: string;
  readonly signing_secret: string;
}

/** Creates the webhook. Throws a StartProblem with the API's answer. */
export async function createWebhook(
  api: DevelopmentApi,
  url: string,
  events: readonly string[],
): Promise<DevelopmentWebhook> {
  const response = await request(api, "POST", "/v1/webhooks", {
    name: nameOf(process.pid),
    url,
    events,
  });
  if (response.status !== 201)
    throw new StartProblem(`the webhook was not created: ${await reasonOf(response)}`);
  return (await response.json()) as DevelopmentWebhook;
}

/** Deletes the webhook. Succeeds if it is already gone. Throws a StartProblem. */
export async function removeWebhook(api: DevelopmentApi, id: string): Promise<void> {
  const response = await request(api, "DELETE", `/v1/webhooks/${id}`);
  if (response.status !== 204 && response.status !== 404)
    throw new StartProblem(`the webhook ${id} was not deleted: ${await reasonOf(response)}`);
}

/** Deletes the webhooks of ended runs on this machine. Returns how many there were. */
export async function removeStaleWebhooks(api: DevelopmentApi): Promise<number> {
  const response = await request(api, "GET", `/v1/webhooks?limit=${LIST_LIMIT}`);
  if (response.status !== 200)
    throw new StartProblem(`the webhooks could not be listed: ${await reasonOf(response)}`);
  const { data } = (await response.json()) as { data: { id: string; name: string }[] };
  const left = data.filter(({ name }) => {
    const pid = Number(/ (\d+)$/.exec(name)?.[1]);
    return name === nameOf(pid) && (pid === process.pid || !isRunning(pid));
  });
  for (const { id } of left) await removeWebhook(api, id);
  return left.length;
}

/**
 * Names the webhook after this machine and process, so that a later run can tell whether its owner
 * still runs.
 */
function nameOf(pid: number): string {
  return `npm run listen, ${hostname().slice(0, HOSTNAME_CHARACTERS)}, process ${pid}`;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function request(
  { apiUrl, apiKey }: DevelopmentApi,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const payload = body === undefined ? null : JSON.stringify(body);
  try {
    return await fetch(apiUrl + path, {
      method,
      headers,
      body: payload,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause as NodeJS.ErrnoException | undefined;
    throw new StartProblem(
      `${apiUrl} can't be reached: ${reason?.code ?? reason?.message ?? message}`,
    );
  }
}

/** Returns the status and the API's message, with all field errors. */
async function reasonOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as {
      error: { message: string; errors?: Record<string, string[]> };
    };
    const fields = Object.entries(error.errors ?? {}).map(
      ([field, reasons]) => `${field} ${reasons.join(", ")}`,
    );
    return `${response.status} ${[error.message, ...fields].join("; ")}`;
  } catch {
    return `${response.status} ${text.slice(0, 200)}`;
  }
}
