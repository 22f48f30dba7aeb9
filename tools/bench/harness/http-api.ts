// Calls the API for work that is not measured. Each call makes one request. A status other than 2xx
// ends the bench.
import { request } from "undici";
import type { LoadTarget } from "./load.ts";

/** A webhook as the API returned it on creation. */
export interface BenchWebhook {
  readonly id: string;
  readonly url: string;
  readonly signing_secret: string;
}

export type BenchWebhookStatus = "active" | "disabled";

const SUBSCRIPTION = { name: "Bench", events: ["email.delivered"] };

export async function callApi<Answer>(
  { origin, apiKey }: LoadTarget,
  method: "GET" | "POST" | "PATCH",
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

export function createBenchWebhook(target: LoadTarget, url: string): Promise<BenchWebhook> {
  return callApi<BenchWebhook>(target, "POST", "/v1/webhooks", { ...SUBSCRIPTION, url });
}

export async function setBenchWebhook(
  target: LoadTarget,
  { id, url }: BenchWebhook,
  status: BenchWebhookStatus,
): Promise<void> {
  await callApi(target, "PATCH", `/v1/webhooks/${id}`, { ...SUBSCRIPTION, url, status });
}
