// The webhook of `npm run listen`, over the API alone: made for one run, taken away at its end, and
// taken away later where a run was killed before that.
import { hostname } from "node:os";
import { StartProblem } from "../dev-settings.ts";

const REQUEST_TIMEOUT_MS = 10_000;
/** More than a team may have. */
const LIST_LIMIT = 100;
const HOSTNAME_CHARACTERS = 100;

export interface DevelopmentApi {
  /** Without a final slash. */
  readonly apiUrl: string;
  readonly apiKey: string;
}

export interface DevelopmentWebhook {
  readonly id: string;
  readonly signing_secret: string;
}

/** Throws a StartProblem that says what the API answered. */
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

/** Also when it is gone already. Throws a StartProblem. */
export async function removeWebhook(api: DevelopmentApi, id: string): Promise<void> {
  const response = await request(api, "DELETE", `/v1/webhooks/${id}`);
  if (response.status !== 204 && response.status !== 404)
    throw new StartProblem(`the webhook ${id} was not deleted: ${await reasonOf(response)}`);
}

/** Removes those of runs on this machine that are no more. Returns how many there were. */
export async function removeLeftovers(api: DevelopmentApi): Promise<number> {
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

/** What it is called in the list: whose it is, and whether that still runs. */
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

/** The status and what the API says of it, fields and all. */
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
