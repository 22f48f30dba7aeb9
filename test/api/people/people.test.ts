// Tests people (docs/people.md): which assertions open a session, invitations, each role at every
// endpoint, and what ends a session.
import { beforeEach, describe, expect, it } from "vitest";
import { endpoints } from "../../../src/api/app.ts";
import { templatedPath } from "../../../src/endpoint.ts";
import { mayCall, type MemberRights } from "../../../src/member-rights.ts";
import { busyTeam, callDeployment, makeTeam, ok, makeKey } from "../../support/api.ts";
import { makeSendingDomain } from "../../support/domain.ts";
import { errorOf } from "../../support/endpoints.ts";
import {
  ACCESS,
  answerForKeys,
  assertionOf,
  codeOf,
  HOST,
  makeMember,
  makeOwner,
  newPerson,
  page,
  sessionOf,
  signIn,
} from "./access.ts";

interface Session {
  readonly person: { readonly id: string; readonly role: string };
  readonly teams: readonly { readonly id: string; readonly name: string }[];
  readonly team: { readonly id: string };
  readonly api_key: null;
  readonly operations: readonly string[];
  readonly expires_at: string;
}

beforeEach(() => answerForKeys());

const seconds = () => Math.floor(Date.now() / 1_000);

describe("an assertion", () => {
  const anyone = newPerson();
  it.each([
    ["that another key signed", () => assertionOf(anyone).forged()],
    ["without a signature (alg none)", () => assertionOf(anyone).unsigned()],
    ["signed with the public key as a secret", () => assertionOf(anyone).confused()],
    ["that has expired", () => assertionOf(anyone, { exp: seconds() - 60 }).genuine()],
    ["that begins later", () => assertionOf(anyone, { nbf: seconds() + 300 }).genuine()],
    ["for another application", () => assertionOf(anyone, { aud: ["another"] }).genuine()],
    [
      "of another Access team",
      () => assertionOf(anyone, { iss: "https://evil.cloudflareaccess.com" }).genuine(),
    ],
    [
      "of a service token",
      () => assertionOf(anyone, { common_name: "robot", sub: "", email: undefined }).genuine(),
    ],
    ["of Access's own session", () => assertionOf(anyone, { type: "org" }).genuine()],
    [
      "with an address that is not verified",
      () => assertionOf(anyone, { email_verified: false }).genuine(),
    ],
    ["that is no token", () => "smuggled"],
  ])("%s opens no session", async (_, make) => {
    const team = await makeTeam();
    await makeOwner(team, anyone);
    const response = await signIn(await make());
    expect(response.headers.get("Set-Cookie")).toBeNull();
    await errorOf(response, 401, "authentication_error");
  });

  it("counts only at the console's own host, only once, and only for a member", async () => {
    const person = newPerson();
    await makeOwner(await makeTeam(), person);
    const text = await assertionOf(person).genuine();
    const elsewhere = signIn(text, {}, { host: "https://api.postern.test" });
    await errorOf(elsewhere, 401, "authentication_error");
    expect((await signIn(text)).status).toBe(200);
    await errorOf(signIn(text), 401, "authentication_error");
    const sameAddress = await assertionOf(newPerson(person.email)).genuine();
    await errorOf(signIn(sameAddress), 403, "permission_error");
  });

  it("bounds the session's life, which an outage of Access does not end", async () => {
    const person = newPerson();
    await makeOwner(await makeTeam(), person);
    const exp = seconds() + 600;
    const response = await signIn(await assertionOf(person, { exp }).genuine());
    const { expires_at: end, api_key: key } = await response.clone().json<Session>();
    expect([end, key]).toEqual([new Date(exp * 1_000).toISOString(), null]);
    answerForKeys(true);
    const headers = sessionOf(response);
    expect((await page("GET", "/v1/templates", { headers })).status).toBe(200);
    await errorOf(page("GET", "/v1/whoami", { headers }), 403, "permission_error");
  });
});

describe("an invitation", () => {
  it("works once, for its address only, and not after the removal of its member", async () => {
    const owner = await makeOwner(await makeTeam());
    const [invited, other] = [newPerson(), newPerson()];
    const body = { email: invited.email, role: "viewer" };
    const made = page("POST", "/console/members", { body, headers: owner });
    const invitation = codeOf(await ok<{ url: string }>(made, 201));
    const use = async (person = invited) =>
      signIn(await assertionOf(person).genuine(), { invitation });
    await errorOf(use(other), 403, "permission_error");
    const headers = sessionOf(await use());
    await errorOf(use(), 403, "permission_error");
    const { person } = await ok<Session>(page("GET", "/console/session", { headers }));
    const path = `/console/members/${person.id}`;
    const removed = await page("DELETE", path, { headers: owner });
    expect(removed.status).toBe(204);
    await errorOf(use(), 403, "permission_error");
    const { message } = await errorOf(
      page("GET", "/v1/templates", { headers }),
      403,
      "permission_error",
    );
    expect(message).toContain("not a member of this team any more");
  });

  it("goes by mail as a send of a team of the operator", async () => {
    const owner = await makeOwner(await makeTeam());
    const sender = await makeTeam();
    const from = `notices@${await makeSendingDomain(sender.id)}`;
    const settings = { NOTICES_TEAM: sender.id, NOTICES_FROM: from };
    const invite = (parts: object) => {
      const body = { email: "new@example.net", role: "viewer", send_mail: true };
      return page("POST", "/console/members", { body, headers: owner, settings: parts });
    };
    const { mailed } = await ok<{ mailed: boolean }>(invite(settings), 201);
    const mails = await ok<{ data: { subject: string; to: string[] }[] }>(
      sender.get("/v1/email?status=all"),
    );
    expect([mailed, mails.data.map(({ to }) => to)]).toEqual([true, [["new@example.net"]]]);
    const unverified = { ...settings, NOTICES_FROM: "a@unknown.example" };
    expect((await ok<{ mailed: boolean }>(invite(unverified), 201)).mailed).toBe(false);
    await errorOf(invite({}), 422, "validation_error");
  });

  it("has a page at the path of its endpoint", async () => {
    const opened = await page("GET", "/console/members", {
      headers: { Accept: "text/html", "X-Postern-Console": "" },
    });
    expect(opened.headers.get("Content-Type")).toMatch(/^application\/json/);
    const navigation = { headers: { Accept: "text/html,*/*" } };
    const html = { headers: { "Content-Type": "text/html" } };
    const ASSETS = { fetch: () => Promise.resolve(new Response("<!doctype html>", html)) };
    const shown = await callDeployment(
      { ...ACCESS, ASSETS },
      `${HOST}/console/members`,
      navigation,
    );
    expect(shown.headers.get("Content-Type")).toMatch(/^text\/html/);
  });

  it("of a second team lets the person switch, and a session by key can't invite", async () => {
    const [one, two] = [await makeTeam(), await makeTeam()];
    const person = newPerson();
    const headers = await makeOwner(one, person);
    await makeOwner(two, person);
    const { teams } = await ok<Session>(page("GET", "/console/session", { headers }));
    expect(teams.map(({ id }) => id)).toEqual([one.id, two.id]);
    const body = { team_id: two.id };
    const switched = await page("PATCH", "/console/session", { headers, body });
    expect((await switched.json<Session>()).team.id).toBe(two.id);
    const foreign = { team_id: (await makeTeam()).id };
    await errorOf(page("PATCH", "/console/session", { headers, body: foreign }), 404, "not_found");
    const byKey = await page("POST", "/console/session", { body: { key: one.key } });
    const invite = { email: "x@example.net", role: "owner" };
    const asked = page("POST", "/console/members", { headers: sessionOf(byKey), body: invite });
    await errorOf(asked, 403, "permission_error");
  });
});

describe("a role", () => {
  const ROLES: readonly (readonly [string, object, MemberRights])[] = [
    ["developer", { role: "developer" }, rights("developer")],
    ["viewer", { role: "viewer" }, rights("viewer")],
    [
      "viewer with both switches",
      { role: "viewer", may_lift_suppressions: true, may_read_content: true },
      rights("viewer", true),
    ],
  ];

  it.each(ROLES)("of a %s may call exactly what its rights allow", async (_, wish, held) => {
    const headers = await makeMember(await makeOwner(await busyTeam()), wish);
    const { operations } = await ok<Session>(page("GET", "/console/session", { headers }));
    const told = new Set(operations);
    const wrong: string[] = [];
    for (const endpoint of endpoints) {
      const { method, path, permission, internal } = endpoint;
      if (internal || !["full", "send", "owner"].includes(permission)) continue;
      const place = path.replace(/:\w+/g, "none");
      const { status, body } = await page(method, place, { headers });
      await body?.cancel();
      const may = mayCall(held, endpoint);
      if ((status === 403) === may || told.has(`${method} ${templatedPath(path)}`) !== may)
        wrong.push(`${method} ${path} ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  it("is a set of operations: a developer lacks the owner's, and a viewer every change", () => {
    const denied = (held: MemberRights) =>
      endpoints
        .filter(({ permission }) => ["full", "send", "owner"].includes(permission))
        .filter((one) => !one.internal && !mayCall(held, one))
        .map(({ method, path }) => `${method} ${path}`);
    expect(denied(rights("owner"))).toEqual(["GET /v1/whoami"]);
    expect(denied(rights("developer")).every((name) => /whoami|\/console\//.test(name))).toBe(true);
    const viewers = denied(rights("viewer"));
    const withSwitches = new Set(denied(rights("viewer", true)));
    expect(viewers.filter((name) => !withSwitches.has(name)).toSorted()).toEqual([
      "DELETE /v1/suppressions/:email",
      "DELETE /v1/suppressions/:email/:topic",
      "GET /v1/email/:id/content",
      "GET /v1/email/:id/content/attachments/:index",
      "GET /v1/replies",
      "GET /v1/replies/:id",
      "GET /v1/replies/:id/attachments/:index",
      "GET /v1/replies/:id/raw",
      "POST /v1/email/:id/send-again",
    ]);
    const changes = endpoints.filter(({ audit, permission }) => audit && permission === "full");
    const named = changes.map(({ method, path }) => `${method} ${path}`);
    expect(named.filter((name) => !viewers.includes(name))).toEqual([]);
  });

  it("that is changed applies from the next request, and the last owner keeps the role of owner", async () => {
    const owner = await makeOwner(await makeTeam());
    const headers = await makeMember(owner, { role: "developer" });
    const create = () => page("POST", "/v1/templates", { headers, body: { name: "x" } });
    expect((await create()).status).toBe(201);
    const idOf = async (session: Record<string, string>) =>
      (await ok<Session>(page("GET", "/console/session", { headers: session }))).person.id;
    const change = async (session: Record<string, string>, body: object) =>
      page("PATCH", `/console/members/${await idOf(session)}`, { headers: owner, body });
    expect((await change(headers, { role: "viewer" })).status).toBe(200);
    const { message } = await errorOf(create(), 403, "permission_error");
    expect(message).toContain("Your role in this team is viewer");
    const { errors } = await errorOf(change(owner, { role: "viewer" }), 422, "validation_error");
    expect(Object.keys(errors ?? {})).toEqual(["role"]);
    const gone = page("DELETE", `/console/members/${await idOf(owner)}`, { headers: owner });
    await errorOf(gone, 422, "validation_error");
  });
});

describe("signing in with a key", () => {
  it("answers the key's operations: none on members, and the trail's only where Access is not set up", async () => {
    const team = await makeTeam();
    const { key } = await makeKey(team, { permissions: "send_only" });
    const operationsOf = async (secret: string, settings: object = {}) => {
      const answer = page("POST", "/console/session", { body: { key: secret }, settings });
      return (await ok<Session>(answer)).operations;
    };
    expect(await operationsOf(key)).toEqual([
      "POST /v1/email",
      "POST /v1/email/batch",
      "GET /v1/whoami",
    ]);
    const unset = { ACCESS_ISSUER: "", ACCESS_AUDIENCE: "", CONSOLE_URL: "" };
    for (const [settings, isRead] of [
      [{}, false],
      [unset, true],
    ] as const) {
      const may = await operationsOf(team.key, settings);
      expect(may).toContain("DELETE /v1/domains/{id}");
      expect(may).not.toContain("POST /console/members");
      expect(may.includes("GET /console/audit")).toBe(isRead);
    }
  });

  it("is refused with CONSOLE_KEYS=false, once a person has signed in", async () => {
    const team = await makeTeam();
    const settings = { ...ACCESS, CONSOLE_KEYS: "false" };
    await makeOwner(team);
    const methods = await page("GET", "/console/session/methods", { settings });
    expect(await methods.json()).toEqual({ access: true, keys: false });
    const byKey = page("POST", "/console/session", { body: { key: team.key }, settings });
    await errorOf(byKey, 403, "permission_error");
    const without = callDeployment({ CONSOLE_KEYS: "false" }, `${HOST}/console/session/methods`);
    expect(await (await without).json()).toEqual({ access: false, keys: true });
  });
});

function rights(role: MemberRights["role"], has = false): MemberRights {
  return { role, mayLift: has, mayReadContent: has };
}
