// Creates and reads webhooks for tests.
import type { z } from "zod";
import type { Webhook as WebhookShape } from "../../src/resources/webhooks/wire.ts";
import { call, type Page, type TestTeam } from "./api.ts";
import { everyCore } from "./every-core.ts";

export type Webhook = z.output<typeof WebhookShape>;

/** The API's answer when a webhook is created, or when its secret is rotated. */
export interface WebhookWithSecret extends Webhook {
  readonly signing_secret: string;
}

export const WISH = {
  name: "Orders",
  url: "https://hooks.example.com/postern?team=1",
  events: ["email.bounced", "email.delivered"],
};
export const CHANGE = { ...WISH, status: "active" };

export const post = ({ key }: TestTeam, body: unknown) =>
  call("POST", "/v1/webhooks", { key, body });
export const patch = ({ key }: TestTeam, id: string, body: unknown) =>
  call("PATCH", `/v1/webhooks/${id}`, { key, body });
export const rotate = ({ key }: TestTeam, id: string) =>
  call("POST", `/v1/webhooks/${id}/rotate-secret`, { key });
export const get = ({ key }: TestTeam, id: string) => call("GET", `/v1/webhooks/${id}`, { key });
export const remove = ({ key }: TestTeam, id: string) =>
  call("DELETE", `/v1/webhooks/${id}`, { key });

export async function create(team: TestTeam, body: unknown = WISH): Promise<WebhookWithSecret> {
  return (await withStatus(await post(team, body), 201)).json();
}

export async function shown(team: TestTeam, id: string): Promise<Webhook> {
  return (await withStatus(await get(team, id), 200)).json();
}

export async function list({ key }: TestTeam, query = ""): Promise<Page<Webhook>> {
  return (await withStatus(await call("GET", `/v1/webhooks?${query}`, { key }), 200)).json();
}

/** Writes a state into a webhook's row that no API call can produce. */
export async function put(
  id: string,
  column: "status" | "grace_expires_at" | "last_delivery_at",
  value: string | number,
): Promise<void> {
  await everyCore.prepare(`UPDATE webhooks SET ${column} = ? WHERE id = ?`).bind(value, id).run();
}

async function withStatus(response: Response, status: number): Promise<Response> {
  if (response.status !== status)
    throw new Error(`${response.status} instead of ${status}: ${await response.text()}`);
  return response;
}
