// Calls the API for work that is not measured. Each call makes one request. A status other than 2xx
// ends the bench.
import { request } from "undici";
import type { LoadTarget } from "./load.ts";

type Method = "GET" | "POST" | "PATCH";

/** A webhook as the API returned it on creation. */
export interface BenchWebhook {
  readonly id: string;
  readonly url: string;
  readonly signing_secret: string;
}

export type BenchWebhookFormat = "batch" | "resend";
export type BenchWebhookStatus = "active" | "disabled";

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

export function createBenchWebhook(
  target: LoadTarget,
  url: string,
  events: readonly string[],
  format: BenchWebhookFormat = "batch",
): Promise<BenchWebhook> {
  const wish = { name: "Bench", url, events, format };
  return callApi<BenchWebhook>(target, "POST", "/v1/webhooks", wish);
}

export async function setBenchWebhook(
  target: LoadTarget,
  { id, url }: BenchWebhook,
  events: readonly string[],
  status: BenchWebhookStatus,
): Promise<void> {
  await callApi(target, "PATCH", `/v1/webhooks/${id}`, { name: "Bench", url, events, status });
}
