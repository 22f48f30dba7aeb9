// Creates and reads webhooks for tests.
import type { z } from "zod";
import type { Webhook as WebhookShape } from "../../src/resources/webhooks/wire.ts";
import { ok, type Page, type TestTeam } from "./api.ts";
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

export const post = (team: TestTeam, body: unknown) => team.post("/v1/webhooks", body);
export const patch = (team: TestTeam, id: string, body: unknown) =>
  team.patch(`/v1/webhooks/${id}`, body);
export const rotate = (team: TestTeam, id: string) => team.post(`/v1/webhooks/${id}/rotate-secret`);
export const remove = (team: TestTeam, id: string) => team.delete(`/v1/webhooks/${id}`);
export const create = (team: TestTeam, body: unknown = WISH) =>
  ok<WebhookWithSecret>(post(team, body), 201);
export const shown = (team: TestTeam, id: string) => ok<Webhook>(team.get(`/v1/webhooks/${id}`));
export const list = (team: TestTeam, query = "") =>
  ok<Page<Webhook>>(team.get(`/v1/webhooks?${query}`));

/** Writes a state into a webhook's row that no API call can produce. */
export async function put(
  id: string,
  column: "status" | "grace_expires_at" | "last_delivery_at",
  value: string | number,
): Promise<void> {
  await everyCore.prepare(`UPDATE webhooks SET ${column} = ? WHERE id = ?`).bind(value, id).run();
}
