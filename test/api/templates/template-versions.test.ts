// Tests the versions of templates (docs/templates.md §Versions): a version is kept within bounds
// and can be restored as the draft, and a message names the version that it was made from.
import { describe, expect, it, vi } from "vitest";
import type { z } from "zod";
import type { TemplateVersionWithContent } from "../../../src/resources/templates/versions/wire.ts";
import { sweepVersions } from "../../../src/resources/templates/versions/version-retention.ts";
import { askDeployment, bindings, makeTeam, ok, statement } from "../../support/api.ts";
import { errorOf } from "../../support/endpoints.ts";
import { create, patchDraft, publish } from "../../support/templates.ts";
import { coreWith } from "../../../src/db/core-shards.ts";
import { ofEachTest } from "../../support/before-tests.ts";
import { TestSender } from "../../support/test-sender.ts";

const team = ofEachTest(TestSender.make);

type Version = Partial<z.output<typeof TemplateVersionWithContent>>;

async function versionsOf(id: string): Promise<Version[]> {
  const path = `/v1/templates/${id}/versions?limit=100`;
  return (await ok<{ data: Version[] }>(team.get(path))).data;
}

async function publishNext(id: string, html: string, subject = "S") {
  await patchDraft(team, id, { subject, html });
  return publish(team, id);
}

const subjectOf = async (id: string) =>
  (await ok<{ subject: string }>(team.get(`/v1/templates/${id}`))).subject;

const keysOf = async () =>
  (await bindings.CONTENT.list({ prefix: `template-versions/${team.id}/` })).objects;

describe("a template's versions", () => {
  it("are its publications with their content, and a message names its version", async () => {
    const { id } = await create(team, { name: "t", alias: "t", subject: "One", html: "<p>1</p>" });
    const send = async () => {
      const sent = await team.sent({ subject: undefined, text: undefined, template_id: "t" });
      const found = await ok<{ template_version?: number }>(team.get(`/v1/email/${sent.id}`));
      return found.template_version;
    };
    await publish(team, id);
    expect(await send()).toBe(1);
    await publishNext(id, "<p>2</p>", "Two");
    expect(await send()).toBe(2);
    expect(
      (await versionsOf(id)).map(({ version, subject, is_published: is }) => [
        version,
        subject,
        is,
      ]),
    ).toEqual([
      [2, "Two", true],
      [1, "One", false],
    ]);
    const first = await ok<Version>(team.get("/v1/templates/t/versions/1"));
    expect(first).toMatchObject({ version: 1, html: "<p>1</p>", is_published: false });
  });

  it("are restored as the draft, and sends stay the same until the draft is published", async () => {
    const { id } = await create(team, { name: "t", subject: "One", html: "<p>1</p>" });
    await publish(team, id);
    await publishNext(id, "<p>2</p>", "Two");
    const restore = (number: string) => team.post(`/v1/templates/${id}/versions/${number}/restore`);
    const draft = await ok<{ subject: string; html: string }>(restore("1"));
    expect(draft).toMatchObject({ subject: "One", html: "<p>1</p>" });
    expect(await subjectOf(id)).toBe("Two");
    await publish(team, id);
    expect((await versionsOf(id)).map(({ version }) => version)).toEqual([3, 2, 1]);
    for (const number of ["0", "9", "x", "1e0"]) await errorOf(restore(number), 404, "not_found");
    const other = await makeTeam();
    const path = `/v1/templates/${id}/versions/1`;
    await errorOf(other.get(path), 404, "not_found");
    await errorOf(other.post(`${path}/restore`), 404, "not_found");
  });

  it("are at most 50 and 5 MB, and the sweep deletes content without a version", async () => {
    const { id } = await create(team, { name: "t" });
    const core = coreWith(bindings, team.id);
    const insert = core.prepare("INSERT INTO template_versions VALUES (?1, ?2, ?3, ?4, NULL, 0)");
    const rows = Array.from({ length: 50 }, (_, index) =>
      insert.bind(id, index + 1, `template-versions/${team.id}/${id}/${index}`, 10),
    );
    await core.batch(rows);
    await publishNext(id, "<p>51</p>");
    const numbers = async () => (await versionsOf(id)).map(({ version }) => version);
    expect([(await numbers()).at(-1), (await numbers()).length]).toEqual([2, 50]);
    const heavy = "UPDATE template_versions SET bytes = 3000000 WHERE template_id = ?";
    await statement(heavy, id).run();
    await publishNext(id, "<p>52</p>");
    expect(await numbers()).toEqual([52, 51]);
    await team.delete(`/v1/templates/${id}`);
    expect(await keysOf()).toHaveLength(2);
    const later = Date.now() + 2 * 3_600_000;
    for (let hour = 0; hour < 16; hour += 1)
      await sweepVersions(bindings, later + hour * 3_600_000);
    expect(await keysOf()).toEqual([]);
  });

  it("grow by one when requests to publish race, and by none when R2 is away", async () => {
    const { id } = await create(team, { name: "t", subject: "One", html: "<p>1</p>" });
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await team.post(`/v1/templates/${id}/publish`)).status),
    );
    expect(statuses.toSorted((left, right) => left - right)).toEqual([200, 422, 422]);
    expect(await versionsOf(id)).toHaveLength(1);
    await patchDraft(team, id, { subject: "Two" });
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const CONTENT = { put: () => Promise.reject(new Error("R2 is away")) };
    const path = `/v1/templates/${id}/publish`;
    const away = askDeployment({ CONTENT }, "POST", path, team.key);
    await errorOf(away, 502, "internal_error");
    expect([await subjectOf(id), (await versionsOf(id)).length]).toEqual(["One", 1]);
  });
});
