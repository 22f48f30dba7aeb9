// Calls on templates that several test files share.
import type { z } from "zod";
import type { Template } from "../../src/resources/templates/wire.ts";
import { coreWith } from "../../src/db/core-shards.ts";
import { bindings, ok, type TestTeam } from "./api.ts";

export type TestTemplate = z.output<typeof Template>;

export type TestDraft = Pick<
  TestTemplate,
  "subject" | "html" | "text" | "markdown" | "variables" | "updated_at"
>;

export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const HTML_BYTES = 262_144;

export const at = (id: string, rest = "") => `/v1/templates/${id}${rest}`;
export const get = <Body>(team: TestTeam, path: string) => ok<Body>(team.get(path));
export const patchDraft = (team: TestTeam, id: string, body: unknown) =>
  team.patch(at(id, "/draft"), body);
export const publish = (team: TestTeam, id: string) => team.post(at(id, "/publish"));

export const create = (team: TestTeam, body: object = {}) =>
  ok<TestTemplate>(team.post("/v1/templates", { name: `T ${crypto.randomUUID()}`, ...body }), 201);

/** Inserts rows directly, since 500 requests would take long. */
export async function fill(team: TestTeam, count: number): Promise<void> {
  await coreWith(bindings, team.id)
    .prepare(
      `INSERT INTO templates (id, team_id, name, kind, created_at, updated_at)
     SELECT 'template_' || ?1 || value, ?1, 'filler ' || value, 'html', value, value FROM json_each(?2)`,
    )
    .bind(team.id, JSON.stringify(Array.from({ length: count }, (_, index) => index + 1)))
    .run();
}
