// Changes a template during a storm: drafts, publications, a restored version, and a name.
import { type ChangeMaker, idOfName } from "./change-maker.ts";

export async function changeTemplate(maker: ChangeMaker): Promise<void> {
  const { tag, chance, make, read, list, repeat } = maker;
  const name = `${tag} template`;
  const made = { name, subject: `${tag} 0`, html: "<p>0</p>" };
  const id = await make(
    "template.create",
    { method: "POST", path: "/v1/templates", body: made },
    async () => idOfName(await list("/v1/templates?limit=100"), name),
  );
  const path = `/v1/templates/${id}`;
  const hasSubject = (place: string, subject: string) => async () =>
    (await read(place))?.["subject"] === subject ? id : null;
  const edits = chance.between("edits", 2, 4);
  for (let edit = 1; edit <= edits; edit += 1) {
    const subject = `${tag} ${edit}`;
    const save = { method: "PATCH", path: `${path}/draft`, body: { subject } } as const;
    await make("template_draft.update", save, hasSubject(`${path}/draft`, subject));
    if (chance.happens("saved twice", 0.3)) await repeat(save);
    const publish = { method: "POST", path: `${path}/publish` } as const;
    await make("template.publish", publish, hasSubject(path, subject));
    if (chance.happens("published twice", 0.3)) await repeat(publish);
  }
  const restore = { method: "POST", path: `${path}/versions/1/restore` } as const;
  await make("template_version.restore", restore, hasSubject(`${path}/draft`, `${tag} 1`));
  const discard = { method: "DELETE", path: `${path}/draft` } as const;
  await make("template_draft.delete", discard, async () =>
    (await read(`${path}/draft`)) === null ? id : null,
  );
  const renamed = `${name}, renamed`;
  const rename = { method: "PATCH", path, body: { name: renamed } } as const;
  await make("template.update", rename, async () =>
    (await read(path))?.["name"] === renamed ? id : null,
  );
  const remove = { method: "DELETE", path } as const;
  await make("template.delete", remove, async () => ((await read(path)) === null ? id : null));
  await repeat(remove);
}
