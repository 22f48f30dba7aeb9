// Tests the doctor's checks of Cloudflare Access (docs/people.md): the application in front of the
// console, and the answers to a request without an assertion and to a forged assertion.
import { beforeEach, describe, expect, it } from "vitest";
import { ACCESS_TEAM, LOGIN_TOKEN } from "../../tools/dev/account/cloudflare-account.ts";
import { type Diagnosis, harness, useDoctor } from "./doctor-harness.ts";

const AUDIENCE = "aud-of-the-console";
const LOGIN = `${ACCESS_TEAM}/cdn-cgi/access/login/post.example.com`;
const APP = { name: "Postern", aud: AUDIENCE, domain: "post.example.com/console" };

useDoctor();

beforeEach(async () => {
  await harness.useEmailService();
  const console_url = "https://post.example.com";
  harness.worker.place = { access: { issuer: ACCESS_TEAM, audience: AUDIENCE, console_url } };
  harness.worker.console = () => [302, LOGIN];
  harness.change({ access_apps: [APP] });
});

const aboutAccess = ({ findings }: Diagnosis) =>
  findings
    .filter(({ check }) => check.startsWith("access."))
    .map(({ check, status, what }) => `${check} ${status} ${what}`);

const examine = async () => aboutAccess(await harness.examine("--json --skip message"));

it("the doctor finds nothing wrong behind Access, and asks nothing of a deployment without people", async () => {
  const lines = await examine();
  expect(lines.map((line) => line.split(" ", 2).join(" "))).toEqual([
    "access.application ok",
    "access.front ok",
    "access.forged ok",
  ]);
  harness.worker.place = { access: null };
  expect(await examine()).toEqual([]);
});

it("the doctor finds whether a console's host of its own leads to the worker", async () => {
  const { workerUrl: url } = harness;
  const access = { issuer: ACCESS_TEAM, audience: AUDIENCE, console_url: url };
  harness.worker.place = { access };
  harness.change({ access_apps: [{ ...APP, domain: `${new URL(url).host}/console` }] });
  expect((await examine())[0]).toBe(`access.host ok ${url} leads to the worker`);
  const console_url = "http://127.0.0.1:9";
  harness.worker.place = { access: { ...access, console_url } };
  expect((await examine())[0]).toBe(
    `access.host critical ${console_url}, the host of CONSOLE_URL, does not lead to the worker`,
  );
});

describe("a fault of Access is named alone", () => {
  it.each<[string, object[], string]>([
    ["no application", [], "access.application critical no Access application is in front of"],
    [
      "an application of another host",
      [{ ...APP, domain: "other.example.com/console" }],
      "access.application critical no Access application",
    ],
    [
      "another audience",
      [{ ...APP, aud: "another-audience" }],
      "access.application critical the application Postern in front of post.example.com/console has another audience",
    ],
    [
      "an application of the whole host",
      [{ ...APP, domain: "post.example.com" }],
      "access.application critical the application Postern is also in front of post.example.com/v1",
    ],
  ])("%s", async (_, apps, line) => {
    harness.change({ access_apps: apps as (typeof APP)[] });
    expect((await examine())[0]).toContain(line);
  });

  it.each<[string, string, readonly [number, string?], readonly [number, string?], string]>([
    ["no Access in front", "front", [200], [401], "is answered by HTTP 200"],
    [
      "another team's Access",
      "front",
      [302, "https://evil.example/"],
      [401],
      "leads to https://evil",
    ],
    ["a worker that takes any key", "forged", [302, LOGIN], [200], "HTTP 200"],
    ["a worker without Access's keys", "forged", [302, LOGIN], [503], "can't read the keys"],
  ])("%s", async (_, check, page, session, words) => {
    harness.worker.console = (path) => (path === "/console/session" ? session : page);
    const failed = (await examine()).filter((line) => line.includes(" critical "));
    expect(failed).toEqual([expect.stringContaining(`access.${check} critical`)]);
    expect(failed[0]).toContain(words);
  });

  it("a login that lacks the right leaves the application unread", async () => {
    const { tokens } = harness.account;
    harness.change({ tokens: { ...tokens, [LOGIN_TOKEN]: ["Access"] } });
    expect((await examine())[0]).toMatch(
      /^access\.application unknown could not be read: .*\[code: 10000\]/,
    );
  });
});
