// Changes a webhook, an API key and the team's settings during a storm. The webhook subscribes to
// an event that no round has, and no client uses the key.
import { type ChangeMaker, idOfName } from "./change-maker.ts";

/** No program listens on this port. */
const URL_OF_HOOK = "http://127.0.0.1:9/trail";

export async function changeWebhook({ tag, chance, make, read, list }: ChangeMaker): Promise<void> {
  const hook = { url: URL_OF_HOOK, events: ["email.unsubscribed"], status: "active" };
  const { status: _, ...made } = { ...hook, name: `${tag} webhook 0` };
  const id = await make(
    "webhook.create",
    { method: "POST", path: "/v1/webhooks", body: made },
    async () => idOfName(await list("/v1/webhooks?limit=100"), made.name),
  );
  const path = `/v1/webhooks/${id}`;
  const changes = chance.between("changes of the webhook", 1, 3);
  for (let change = 1; change <= changes; change += 1) {
    const name = `${tag} webhook ${change}`;
    const update = { method: "PATCH", path, body: { ...hook, name } } as const;
    await make("webhook.update", update, async () =>
      (await read(path))?.["name"] === name ? id : null,
    );
  }
  await make("webhook.delete", { method: "DELETE", path }, async () =>
    (await read(path)) === null ? id : null,
  );
}

export async function changeKey({ tag, make, read, list, repeat }: ChangeMaker): Promise<void> {
  const settings = { permissions: "send_only", allowed_domains: null, allowed_ips: null };
  const key = { ...settings, name: `${tag} key` };
  const id = await make(
    "api_key.create",
    { method: "POST", path: "/v1/api-keys", body: key },
    async () => idOfName(await list("/v1/api-keys?limit=100"), key.name),
  );
  const path = `/v1/api-keys/${id}`;
  const name = `${key.name}, renamed`;
  const rename = { method: "PATCH", path, body: { ...settings, name } } as const;
  await make("api_key.update", rename, async () =>
    (await read(path))?.["name"] === name ? id : null,
  );
  await repeat(rename);
  await make("api_key.delete", { method: "DELETE", path }, async () =>
    (await read(path)) === null ? id : null,
  );
}

export async function changeSettings({ tag, chance, make, read }: ChangeMaker): Promise<void> {
  const { id } = (await read("/v1/team")) as { readonly id: string };
  const changes = chance.between("changes of the settings", 1, 4);
  for (let change = 1; change <= changes; change += 1) {
    const name = `${tag} ${change}`;
    const body = { topic_names: { news: name } };
    await make("team.update", { method: "PATCH", path: "/v1/team", body }, async () => {
      const names = (await read("/v1/team"))?.["topic_names"] as Readonly<Record<string, string>>;
      return names["news"] === name ? id : null;
    });
  }
}
