// Tests how a send gets its template, and how long the isolate caches a template.
import { describe, expect, it, vi } from "vitest";
import { coreFor, type Scope } from "../../../../src/db/client.ts";
import { newId } from "../../../../src/lib/ids.ts";
import {
  forgetTemplates,
  getSendable,
} from "../../../../src/resources/templates/template-cache.ts";
import { bindings } from "../../../support/api.ts";

const MINUTE_MS = 60_000;

const newScope = () => coreFor(bindings, newId("team"));

async function insert(scope: Scope, html: string | null): Promise<string> {
  const id = newId("template");
  await scope.db
    .prepare(
      "INSERT INTO templates (id, team_id, name, kind, subject, html, text, published_at, " +
        "created_at, updated_at) VALUES (?, ?, ?, 'html', 'S', ?, 't', ?, 1, 1)",
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

describe("a published template", () => {
  it("is found with its published content", async () => {
    const scope = newScope();
    const id = await insert(scope, "<p>");
    const content = { subject: "S", html: "<p>", text: "t" };
    const defaults = { from: null, replyTo: null, fallbacks: null };
    const sendable = {
      id,
      sensitive: false,
      replyTracking: false,
      version: null,
      ...content,
      ...defaults,
    };
    expect(await getSendable(scope, id)).toEqual(sendable);
  });

  it("is cached for exactly a minute", async () => {
    const scope = newScope();
    const id = await insert(scope, "one");
    vi.setSystemTime(Date.now());
    expect(await htmlOf(scope, id)).toBe("one");
    await change(scope, id, "two");
    vi.setSystemTime(Date.now() + MINUTE_MS - 1);
    expect(await htmlOf(scope, id)).toBe("one");
    vi.setSystemTime(Date.now() + 1);
    expect(await htmlOf(scope, id)).toBe("two");
  });

  it("is read again after the isolate has forgotten it, even if a look-up was under way", async () => {
    const scope = newScope();
    const id = await insert(scope, "one");
    const underWay = getSendable(scope, id);
    forgetTemplates(scope);
    await underWay;
    await change(scope, id, "two");
    expect(await htmlOf(scope, id)).toBe("two");
    await change(scope, id, "three");
    forgetTemplates(scope);
    expect(await htmlOf(scope, id)).toBe("three");
  });

  it("is replaced when its alias moves: within a minute, or at once in an isolate that forgot the alias", async () => {
    const scope = newScope();
    const ids = [await insert(scope, "one"), await insert(scope, "two"), await insert(scope, "3")];
    const give = (alias: string | null, id: string | undefined) =>
      scope.db.prepare("UPDATE templates SET alias = ? WHERE id = ?").bind(alias, id).run();
    await give("order", ids[0]);
    vi.setSystemTime(Date.now());
    expect(await htmlOf(scope, "order")).toBe("one");
    await give(null, ids[0]);
    await give("order", ids[1]);
    expect(await htmlOf(scope, "order")).toBe("one");
    vi.setSystemTime(Date.now() + MINUTE_MS);
    expect(await htmlOf(scope, "order")).toBe("two");
    await give(null, ids[1]);
    await give("order", ids[2]);
    forgetTemplates(scope);
    expect(await htmlOf(scope, "order")).toBe("3");
  });

  it("is not found for another team, although this isolate has it cached", async () => {
    const scope = newScope();
    const id = await insert(scope, "<p>");
    await getSendable(scope, id);
    expect(await getSendable(newScope(), id)).toBeUndefined();
  });
});

describe("a template that cannot be sent", () => {
  it("is not cached, so it can be sent right after its first publication", async () => {
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
  ])("costs no look-up when its id is malformed: %j", async (id) => {
    const scope: Scope = { db: null as unknown as D1Database, teamId: "team_x" };
    expect(await getSendable(scope, id)).toBeUndefined();
  });
});
