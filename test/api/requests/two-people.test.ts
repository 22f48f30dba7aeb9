// Tests two people on one template (contract.md §Preconditions): after one of them has changed the
// draft, the other's requests with the old tag change nothing, so no text is lost.
import { describe, expect, it } from "vitest";
import { busyTeam, call, ok } from "../../support/api.ts";
import { ofFile } from "../../support/before-tests.ts";

type Act = (path: string, tag: string) => Promise<Response>;

const team = ofFile(busyTeam);

const send = (method: string, path: string, tag: string, body?: object) =>
  call(method, path, { key: team.key, headers: { "If-Match": tag }, ...(body && { body }) });

const ACTS: Record<string, Act> = {
  save: (path, tag) => send("PATCH", `${path}/draft`, tag, { subject: crypto.randomUUID() }),
  publish: (path, tag) => send("POST", `${path}/publish`, tag),
  discard: (path, tag) => send("DELETE", `${path}/draft`, tag),
  restore: (path, tag) => send("POST", `${path}/versions/1/restore`, tag),
  delete: (path, tag) => send("DELETE", path, tag),
};
const NAMES = Object.keys(ACTS);
const PAIRS = NAMES.flatMap((first) => NAMES.map((second) => [first, second] as const));

/** Makes a template with a version and a draft, and returns its path and the draft's tag. */
async function makeTemplate(): Promise<readonly [path: string, tag: string]> {
  const first = { name: crypto.randomUUID(), subject: "First", html: "<p>First</p>" };
  const { id } = await ok<{ id: string }>(team.post("/v1/templates", first), 201);
  const path = `/v1/templates/${id}`;
  await ok(team.post(`${path}/publish`));
  const draft = await team.patch(`${path}/draft`, { subject: "Second" });
  return [path, draft.headers.get("ETag") ?? ""];
}

/** Returns all texts that a person could lose: the template, its draft and its versions. */
async function stateOf(path: string): Promise<unknown> {
  const read = async (place: string) => (await team.get(place)).text();
  return [await read(path), await read(`${path}/draft`), await read(`${path}/versions`)];
}

describe("two people with the same tag", () => {
  it.each(PAIRS)("can't both act: after a %s, the other's %s does nothing", async (one, other) => {
    const [path, tag] = await makeTemplate();
    expect((await ACTS[one]!(path, tag)).status).toBeLessThan(300);
    const before = await stateOf(path);
    expect([404, 412]).toContain((await ACTS[other]!(path, tag)).status);
    expect(await stateOf(path)).toEqual(before);
  });

  it.each(PAIRS.filter(([one, other]) => one <= other))(
    "can't both act: of %s and %s at the same time, one succeeds",
    async (one, other) => {
      const [path, tag] = await makeTemplate();
      const answers = await Promise.all([one, other].map((name) => ACTS[name]!(path, tag)));
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    },
  );
});
