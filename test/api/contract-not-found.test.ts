// Tests unknown resources, paths and methods (contract.md §Statuses) for every entry of the
// endpoints table: 404 reveals nothing about other teams, and 405 names the methods of a path.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ADMIN_TOKEN, call, askDeployment, callDeployment, busyTeam } from "../support/api.ts";
import {
  errorOf,
  makeResource,
  exampleOf,
  forKeys,
  forOperators,
  named,
  oneOfEachKind,
  pathOf,
  published,
  request,
} from "../support/endpoints.ts";
import { ofFile } from "../support/before-tests.ts";

const team = ofFile(busyTeam);
const other = ofFile(busyTeam);

beforeEach(() => {
  // The network is down, so the service publishes no DNS records.
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network"));
});

/**
 * The endpoints whose path names a resource of a team. The recipients' endpoint is left out,
 * because every team may ask about every address.
 */
const ofResources = forKeys.filter(
  ({ path }) => path.includes(":") && path !== "/v1/recipients/:address",
);

describe("404", () => {
  it.each(named(ofResources))(
    "%s answers the same 404 for another team's resource and for an unknown one",
    async (_, endpoint) => {
      const theirs = await makeResource(endpoint, other);
      const bodies = new Set<string>();
      const unknown = unknownLike(theirs);
      // All endpoints of a resource read ids alike, so only GET tries every malformed id.
      const some = endpoint.method === "GET" ? unknown : unknown.slice(0, 2);
      for (const params of [theirs, ...some]) {
        const response = await request(endpoint, { key: team.key }, params);
        expect(response.status).toBe(404);
        bodies.add(await response.text());
      }
      expect(bodies.size).toBe(1);
      expect(JSON.parse([...bodies][0] ?? "")).toMatchObject({ error: { type: "not_found" } });
      if (endpoint.method === "GET")
        expect((await request(endpoint, { key: other.key }, theirs)).status).toBe(200);
    },
  );

  it.each(oneOfEachKind(forKeys.filter(({ path }) => path.endsWith("/:id"))))(
    "%s answers 404 to malformed and encoded ids",
    async (_, endpoint) => {
      const [base = ""] = endpoint.path.split(":");
      for (const id of ["%", "%zz", "%00", "%ff%fe", "%ED%A0%80", "a%2Fb", "..%2f..", "%2e%2e"]) {
        const response = await call(endpoint.method, base + id, {
          key: team.key,
          ...(endpoint.body ? { body: await exampleOf(endpoint) } : {}),
        });
        await errorOf(response, 404, "not_found");
      }
    },
  );

  it.each(named(forOperators.filter(({ path }) => path.includes(":"))))(
    "%s answers 404 to an unknown id",
    async (_, endpoint) => {
      for (const id of [`team_${crypto.randomUUID()}`, "nonsense"])
        await errorOf(request(endpoint, { key: ADMIN_TOKEN }, { id }), 404, "not_found");
    },
  );

  it.each(oneOfEachKind(forOperators))(
    "%s is answered with 404 while no ADMIN_TOKEN is set",
    async (_, endpoint) => {
      const path = await pathOf(endpoint);
      const response = await askDeployment({ ADMIN_TOKEN: "" }, endpoint.method, path, "");
      await errorOf(response, 404, "not_found");
    },
  );

  it.each(["/admin/teams", "/admin/teams/team_1"])(
    "%s is answered with 404 for other methods too while no ADMIN_TOKEN is set",
    async (path) => {
      for (const method of ["PUT", "OPTIONS", "HEAD"]) {
        const url = `https://api.postern.test${path}`;
        const response = await callDeployment({ ADMIN_TOKEN: "" }, url, { method });
        expect(response.status).toBe(404);
        await response.text();
      }
    },
  );

  it.each(
    (
      "/v1 /v1/ /v1/nothing /v1/email/ /v2/whoami /admin /gateway /gateway/key // " +
      "//v1/whoami /v1//whoami /v1/whoami/x"
    ).split(" "),
  )("is the answer to %s", async (path) => {
    for (const method of ["GET", "POST", "DELETE"])
      await errorOf(call(method, path, { key: team.key }), 404, "not_found");
  });
});

/**
 * Returns sets of the path parameters in `theirs`. No set names a resource. The first set is
 * well-formed, the others are malformed.
 */
function unknownLike(theirs: Readonly<Record<string, string>>): Record<string, string>[] {
  if ("email" in theirs)
    return [
      { email: "nobody@example.net", topic: "news" },
      ...["x", "@", "a b", "%"].map((email) => ({ email, topic: "news" })),
    ];
  const [prefix] = (theirs["id"] ?? "").split("_");
  return [
    `${prefix}_${crypto.randomUUID()}`,
    "nonsense",
    `${prefix}_`,
    "%",
    "x".repeat(2_000),
    "'; --",
  ].map((id) => ({ id }));
}

describe("405", () => {
  it.each([...new Set(published.map(({ path }) => path))])(
    "%s names the methods that it takes",
    async (path) => {
      const served = published.filter((one) => one.path === path);
      const [one] = served;
      if (!one) throw new Error("no endpoint");
      const response = await call("PUT", await pathOf(one), { raw: "{" });
      await errorOf(response, 405, "method_not_allowed");
      expect(response.headers.get("Allow")?.split(", ").toSorted()).toEqual(
        served.map(({ method }) => method).toSorted(),
      );
    },
  );
});
