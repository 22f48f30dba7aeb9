// Changes a webhook, an API key and the team's settings during a storm. The webhook subscribes to
// an event that no round has, and no client uses the key.
import type { ChangeMaker } from "./change-maker.ts";

/** No program listens on this port. */
const URL_OF_HOOK = "http://127.0.0.1:9/trail";

export async function changeWebhook(maker: ChangeMaker): Promise<void> {
  const { tag, chance, create, change, has, isGone } = maker;
  const hook = { url: URL_OF_HOOK, events: ["email.unsubscribed"] };
  const id = await create("webhook.create", "/v1/webhooks", { ...hook, name: `${tag} webhook 0` });
  const path = `/v1/webhooks/${id}`;
  const changes = chance.between("changes of the webhook", 1, 3);
  for (let count = 1; count <= changes; count += 1) {
    const name = `${tag} webhook ${count}`;
    const update = { method: "PATCH", path, body: { ...hook, status: "active", name } } as const;
    await change("webhook.update", update, id, () => has(path, "name", name));
  }
  await change("webhook.delete", { method: "DELETE", path }, id, () => isGone(path));
}

export async function changeKey(maker: ChangeMaker): Promise<void> {
  const { tag, create, change, has, isGone, repeat } = maker;
  const settings = { permissions: "send_only", allowed_domains: null, allowed_ips: null };
  const id = await create("api_key.create", "/v1/api-keys", { ...settings, name: `${tag} key` });
  const path = `/v1/api-keys/${id}`;
  const name = `${tag} key, renamed`;
  const rename = { method: "PATCH", path, body: { ...settings, name } } as const;
  await change("api_key.update", rename, id, () => has(path, "name", name));
  await repeat(rename);
  await change("api_key.delete", { method: "DELETE", path }, id, () => isGone(path));
}

export async function changeSettings({ tag, chance, change, read }: ChangeMaker): Promise<void> {
  const path = "/v1/team";
  const { id } = (await read(path)) as { readonly id: string };
  const changes = chance.between("changes of the settings", 1, 4);
  for (let count = 1; count <= changes; count += 1) {
    const name = `${tag} ${count}`;
    const update = { method: "PATCH", path, body: { topic_names: { news: name } } } as const;
    await change("team.update", update, id, async () => {
      const names = (await read(path))?.["topic_names"] as Readonly<Record<string, string>>;
      return names["news"] === name;
    });
  }
}
