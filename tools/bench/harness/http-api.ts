// Calls the API where a bench measures nothing: one request, and any status other than 2xx ends the
// bench.
import { request } from "undici";
import type { LoadTarget } from "./load.ts";

type Method = "GET" | "POST" | "PATCH";

/** A webhook in the answer that created it. */
export interface BenchWebhook {
  readonly id: string;
  readonly url: string;
  readonly signing_secret: string;
}

export type HookFormat = "batch" | "resend";
export type HookStatus = "active" | "disabled";

export async function callApi<Answer>(
  { origin, apiKey }: LoadTarget,
  method: Method,
  path: string,
  question?: unknown,
): Promise<Answer> {
  const { statusCode, body } = await request(origin + path, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
    body: question === undefined ? null : JSON.stringify(question),
  });
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode} ${text}`);
  return JSON.parse(text) as Answer;
}

export function createHook(
  target: LoadTarget,
  url: string,
  events: readonly string[],
  format: HookFormat = "batch",
): Promise<BenchWebhook> {
  const wish = { name: "Bench", url, events, format };
  return callApi<BenchWebhook>(target, "POST", "/v1/webhooks", wish);
}

export async function setHook(
  target: LoadTarget,
  { id, url }: BenchWebhook,
  events: readonly string[],
  status: HookStatus,
): Promise<void> {
  await callApi(target, "PATCH", `/v1/webhooks/${id}`, { name: "Bench", url, events, status });
}
