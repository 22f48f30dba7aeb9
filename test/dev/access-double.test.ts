// Tests the double of Cloudflare Access (docs/local.md §People), in front of a server that answers
// with the headers that it got.
import { decodeJwt } from "jose";
import { once } from "node:events";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ownPort } from "../../tools/harness/loopback.ts";
import { type AccessDouble, startAccess } from "../../tools/dev/people/access-double.ts";
import { PEOPLE } from "../../tools/dev/people/known-people.ts";

const worker = http.createServer((request, response) => {
  response.end(JSON.stringify({ url: request.url, ...request.headers }));
});
let access: AccessDouble;

beforeAll(async () => {
  worker.listen(0, "127.0.0.1");
  await once(worker, "listening");
  const { port } = worker.address() as AddressInfo;
  access = await startAccess(await ownPort(), `http://127.0.0.1:${port}`);
});

afterAll(async () => {
  await access.close();
  worker.close();
});

const ask = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { redirect: "manual", headers });

type Echo = Readonly<Record<string, string | undefined>>;

const echoed = async (path: string, headers: Record<string, string> = {}) =>
  (await (await ask(access.consoleUrl + path, headers)).json()) as Echo;

it("the double of Cloudflare Access leads a deep link to four sign-in links, and back with a person's assertion", async () => {
  const first = await ask(`${access.consoleUrl}/console/messages?type=bounced`);
  const login = first.headers.get("location") ?? "";
  expect([first.status, login.startsWith(`${access.issuer}/login?`)]).toEqual([302, true]);
  const text = await (await ask(login)).text();
  const links = Array.from(text.matchAll(/href="([^"]+)"/g), ([, href = ""]) => href);
  expect(links).toHaveLength(PEOPLE.length);
  const chosen = await ask(access.issuer + links[0]?.replaceAll("&amp;", "&"));
  const admitted = await ask(chosen.headers.get("location") ?? "");
  const [cookie = ""] = admitted.headers.getSetCookie()[0]?.split(";") ?? [];
  const path = admitted.headers.get("location") ?? "";
  expect(path).toBe("/console/messages?type=bounced");
  const shown = await echoed(path, { cookie });
  const claims = decodeJwt(shown["cf-access-jwt-assertion"] ?? "");
  expect(claims).toMatchObject({ email: PEOPLE[0]?.email, iss: access.issuer, type: "app" });
});

it("the double of Cloudflare Access removes an assertion that a client sends, and adds one below /console only", async () => {
  const forged = { "cf-access-jwt-assertion": "forged" };
  expect((await echoed("/v1/whoami", forged))["cf-access-jwt-assertion"]).toBeUndefined();
  const cookie = await access.signIn(PEOPLE[1]!);
  const shown = await echoed("/console/session", { ...forged, cookie });
  expect(decodeJwt(shown["cf-access-jwt-assertion"] ?? "")["email"]).toBe(PEOPLE[1]?.email);
  expect((await echoed("/v1/whoami", { cookie }))["cf-access-jwt-assertion"]).toBeUndefined();
  await ask(`${access.consoleUrl}/cdn-cgi/access/logout`, { cookie });
  expect((await ask(`${access.consoleUrl}/console`, { cookie })).status).toBe(302);
});
