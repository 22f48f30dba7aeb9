// Which templates a send gets, and for how long the isolate remembers them.
import { afterEach, describe, expect, it, vi } from "vitest";
import { coreFor, type Scope } from "../../../../src/db/client.ts";
import { newId } from "../../../../src/lib/ids.ts";
import { forgetTemplate, getSendable } from "../../../../src/resources/templates/template-cache.ts";
import { bindings } from "../../../support/api.ts";

const MINUTE_MS = 60_000;

const newScope = () => coreFor(bindings, newId("team"));

async function insert(scope: Scope, html: string | null): Promise<string> {
  const id = newId("template");
  await scope.db
    .prepare(
      "INSERT INTO templates (id, team_id, name, kind, subject, html, text, published_at, created_at, updated_at) VALUES (?, ?, ?, 'html', 'S', ?, 't', ?, 1, 1)",
    )
    .bind(id, scope.teamId, id, html, html === null ? null : 1)
    .run();
  return id;
}

async function change(scope: Scope, id: string, html: string): Promise<void> {
  await scope.db
    .prepare("UPDATE templates SET html = ?, published_at = 2 WHERE id = ?")
    .bind(html, id)
    .run();
}

const htmlOf = async (scope: Scope, id: string) => {
  const template = await getSendable(scope, id);
  return typeof template === "object" ? template.html : template;
};

afterEach(() => {
  vi.useRealTimers();
});

describe("a published template", () => {
  it("is found with what was published", async () => {
    const scope = newScope();
    expect(await getSendable(scope, await insert(scope, "<p>"))).toEqual({
      subject: "S",
      html: "<p>",
      text: "t",
    });
  });

  it("is remembered for a minute and no longer", async () => {
    const scope = newScope();
    const id = await insert(scope, "one");
    vi.useFakeTimers({ toFake: ["Date"] });
    expect(await htmlOf(scope, id)).toBe("one");
    await change(scope, id, "two");
    vi.setSystemTime(Date.now() + MINUTE_MS - 1);
    expect(await htmlOf(scope, id)).toBe("one");
    vi.setSystemTime(Date.now() + 1);
    expect(await htmlOf(scope, id)).toBe("two");
  });

  it("is asked for anew once it is forgotten, also by a look-up that was under way", async () => {
    const scope = newScope();
    const id = await insert(scope, "one");
    const underWay = getSendable(scope, id);
    forgetTemplate(scope, id);
    await underWay;
    await change(scope, id, "two");
    expect(await htmlOf(scope, id)).toBe("two");
    await change(scope, id, "three");
    forgetTemplate(scope, id);
    expect(await htmlOf(scope, id)).toBe("three");
  });

  it("is not there for another team, though this isolate remembers it", async () => {
    const scope = newScope();
    const id = await insert(scope, "<p>");
    await getSendable(scope, id);
    expect(await getSendable(newScope(), id)).toBeUndefined();
  });
});

describe("what can't be sent", () => {
  it("is not remembered: a template may be sent from its first publication on", async () => {
    const scope = newScope();
    const id = await insert(scope, null);
    expect(await getSendable(scope, id)).toBe("unpublished");
    await change(scope, id, "<p>");
    expect(await htmlOf(scope, id)).toBe("<p>");
  });

  it.each([
    "",
    "template_",
    "template_x",
    "TEMPLATE_00000000-0000-4000-8000-000000000000",
    "template_00000000-0000-4000-8000-00000000000G",
  ])("costs no look-up when it is no id: %j", async (id) => {
    const scope: Scope = { db: null as unknown as D1Database, teamId: "team_x" };
    expect(await getSendable(scope, id)).toBeUndefined();
  });
});
