// Tests POST /admin/console-links (src/api/console/routes.ts): the operator makes a link that signs
// in to a team once.
import { describe, expect, it, vi } from "vitest";
import {
  ADMIN_TOKEN,
  call,
  makeTeam,
  ok,
  type TestTeam,
  operator,
  callDeployment,
  statement,
} from "../../support/api.ts";
import { errorOf, freshAddress } from "../../support/endpoints.ts";
import type { SessionBody } from "./console-calls.ts";
import { LOCAL, ORIGIN, postSession, postSessionTo, sessionHeaders } from "./console-calls.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const team = ofEachTest(makeTeam);

const HERE = "http://127.0.0.1:8787";

function askForLink(teamId: string, settings: object = LOCAL): Promise<Response> {
  return callDeployment(settings, `${HERE}/admin/console-links`, {
    method: "POST",
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, "Content-Type": "application/json" },
    body: JSON.stringify({ team_id: teamId }),
  });
}

async function tokenFor({ id }: TestTeam): Promise<string> {
  const { url } = await (await askForLink(id)).json<{ url: string }>();
  return url.slice(url.indexOf("#") + 1);
}

const signIn = (link: string) => postSessionTo(LOCAL, HERE, { link });

describe("POST /admin/console-links", () => {
  it("answers a link to the console that holds its token behind the #", async () => {
    vi.setSystemTime(Date.now());
    const { id } = await makeTeam();
    expect(await ok(askForLink(id), 201)).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8787\/console\/sign-in#[\w-]{96}$/),
      expires_at: new Date(Date.now() + 600_000).toISOString(),
    });
  });

  it("works in every deployment, and logs the team and the time", async () => {
    const { id, keyId } = await makeTeam();
    const log = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await ok(operator.post("/admin/console-links", { team_id: id }), 201);
    const lines = log.mock.calls.map(([line]) => String(line));
    const line = lines.find((one) => one.includes("console_link_made"));
    expect(JSON.parse(line ?? "null")).toMatchObject({
      team_id: id,
      key_id: keyId,
      at: expect.stringMatching(/^20.*Z$/),
    });
  });

  it("answers 404 for a team that does not exist, and 422 for one without a full key", async () => {
    await errorOf(askForLink(`team_${crypto.randomUUID()}`), 404, "not_found");
    const { id } = await makeTeam();
    await statement("UPDATE api_keys SET permissions = 'send_only' WHERE team_id = ?", id).run();
    const error = await errorOf(askForLink(id), 422, "validation_error");
    expect(error.errors).toEqual({ team_id: ["has no key with `full` permissions"] });
  });
});

describe("a console link", () => {
  it("signs in with the team's oldest full key", async () => {
    await team.post("/v1/api-keys", { name: "A younger key", permissions: "full" });
    const response = await signIn(await tokenFor(team));
    const headers = sessionHeaders(response);
    const expected = { team: { id: team.id }, api_key: { id: team.keyId, permissions: "full" } };
    expect(await response.json<SessionBody>()).toMatchObject(expected);
    expect((await callDeployment(LOCAL, `${HERE}/v1/whoami`, { headers })).status).toBe(200);
  });

  it("works once, however many requests use it at the same time", async () => {
    const link = await tokenFor(await makeTeam());
    const answers = await Promise.all([1, 2, 3].map(() => signIn(link)));
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([count(200), count(401)]).toEqual([1, 2]);
    expect((await errorOf(signIn(link), 401, "authentication_error")).message).toBe(
      "The link was used, is older than 10 minutes, or is not valid: sign in with an API key.",
    );
  });

  it("works for 10 minutes", async () => {
    const now = Date.now();
    vi.setSystemTime(now);
    const [early, late] = [await tokenFor(team), await tokenFor(team)];
    vi.setSystemTime(now + 599_999);
    expect((await signIn(early)).status).toBe(200);
    vi.setSystemTime(now + 600_000);
    expect((await signIn(late)).status).toBe(401);
  });

  it("is refused after its key was deleted", async () => {
    const link = await tokenFor(team);
    await team.delete(`/v1/api-keys/${team.keyId}`);
    expect((await signIn(link)).status).toBe(401);
  });

  it("can't be used as a session, and a session can't be used as a link", async () => {
    const link = await tokenFor(team);
    const headers = { Cookie: `__Host-postern-console=${link}`, "X-Postern-Console": "1" };
    expect((await call("GET", "/v1/whoami", { headers })).status).toBe(401);
    const { Cookie = "" } = sessionHeaders(await postSession({ key: team.key }));
    const value = Cookie.slice(Cookie.indexOf("=") + 1);
    expect((await postSessionTo(LOCAL, ORIGIN, { link: value })).status).toBe(401);
  });

  it("that is made up does not count as a failed key", async () => {
    const ip = freshAddress();
    for (let guess = 0; guess < 25; guess += 1)
      expect((await postSession({ link: `guess-${guess}` }, ip)).status).toBe(401);
    expect((await postSession({ key: "guess" }, ip)).status).toBe(401);
  });
});
