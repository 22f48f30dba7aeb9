// Templates in the core database as sends read them (src/resources/templates/store.ts).
import { describe, expect, it } from "vitest";
import type { Scope } from "../../../../src/db/client.ts";
import { newId } from "../../../../src/lib/ids.ts";
import {
  findSendable,
  insertTemplate,
  publishDraft,
  saveDraft,
} from "../../../../src/resources/templates/store.ts";
import { bindings } from "../../../support/api.ts";

const newScope = (): Scope => ({ db: bindings.DB, teamId: newId("team") });

describe("findSendable", () => {
  it("finds the published content, never a draft or another team's", async () => {
    const [scope, other] = [newScope(), newScope()];
    const template = { id: newId("template"), name: "T", kind: "html" as const, now: 1 };
    expect(await findSendable(scope, template.id)).toBeUndefined();
    await insertTemplate(scope, template, {
      subject: "S",
      html: "<p>a</p>",
      text: "a",
      markdown: null,
    });
    expect(await findSendable(scope, template.id)).toBe("unpublished");
    await publishDraft(scope, template.id, 2);
    await saveDraft(scope, template.id, { subject: "Draft", html: "b", text: "b" }, 3);
    expect(await findSendable(scope, template.id)).toEqual({
      subject: "S",
      html: "<p>a</p>",
      text: "a",
    });
    expect(await findSendable(other, template.id)).toBeUndefined();
  });
});
