// Changes a template during a storm: drafts, publications, a restored version, and a name.
import type { ChangeMaker } from "./change-maker.ts";

export async function changeTemplate(maker: ChangeMaker): Promise<void> {
  const { tag, chance, create, change, has, isGone, repeat } = maker;
  const name = `${tag} template`;
  const made = { name, subject: `${tag} 0`, html: "<p>0</p>" };
  const id = await create("template.create", "/v1/templates", made);
  const path = `/v1/templates/${id}`;
  const draft = `${path}/draft`;
  const edits = chance.between("edits", 2, 4);
  for (let edit = 1; edit <= edits; edit += 1) {
    const subject = `${tag} ${edit}`;
    const save = { method: "PATCH", path: draft, body: { subject } } as const;
    await change("template_draft.update", save, id, () => has(draft, "subject", subject));
    if (chance.happens("saved twice", 0.3)) await repeat(save);
    const publish = { method: "POST", path: `${path}/publish` } as const;
    await change("template.publish", publish, id, () => has(path, "subject", subject));
    if (chance.happens("published twice", 0.3)) await repeat(publish);
  }
  const restore = { method: "POST", path: `${path}/versions/1/restore` } as const;
  const restored = () => has(draft, "subject", `${tag} 1`);
  await change("template_version.restore", restore, id, restored);
  const discard = { method: "DELETE", path: draft } as const;
  await change("template_draft.delete", discard, id, () => isGone(draft));
  const renamed = `${name}, renamed`;
  const rename = { method: "PATCH", path, body: { name: renamed } } as const;
  await change("template.update", rename, id, () => has(path, "name", renamed));
  const remove = { method: "DELETE", path } as const;
  await change("template.delete", remove, id, () => isGone(path));
  await repeat(remove);
}
