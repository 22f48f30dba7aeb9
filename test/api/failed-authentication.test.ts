// Tests the block on an IP address that guesses keys (contract.md §Failed authentication): a
// blocked address can still use a valid credential.
import { describe, expect, it } from "vitest";
import { mintSecret } from "../../src/resources/api-keys/key-secret.ts";
import { ADMIN_TOKEN, call, makeTeam, makeKey } from "../support/api.ts";
import { freshAddress, errorOf } from "../support/endpoints.ts";

const WHOAMI = "/v1/whoami";
const TEAMS = "/admin/teams?limit=1";

let guesses = 0;

/**
 * A credential that no test has presented before. Every second credential has the shape of a real
 * key.
 */
function freshGuess(): string {
  guesses += 1;
  return guesses % 2 === 0 ? mintSecret() : `guess-${guesses}`;
}

async function statusOf(path: string, ip: string, key?: string): Promise<number> {
  const response = await call("GET", path, { ip, ...(key === undefined ? {} : { key }) });
  await response.arrayBuffer();
  return response.status;
}

async function fail(path: string, ip: string, times = 20): Promise<void> {
  for (let failure = 0; failure < times; failure += 1)
    expect(await statusOf(path, ip, freshGuess())).toBe(401);
}

describe("an address with 20 failed authentications", () => {
  it("gets 403 with Retry-After for a wrong key of either shape", async () => {
    const ip = freshAddress();
    await fail(WHOAMI, ip);
    for (const key of [freshGuess(), freshGuess(), ADMIN_TOKEN]) {
      const response = await call("GET", WHOAMI, { key, ip });
      await errorOf(response, 403, "permission_error");
      expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(890);
      expect(Number(response.headers.get("Retry-After"))).toBeLessThanOrEqual(900);
    }
  });

  it("can still use a valid key, whether this isolate has cached the key or not", async () => {
    const [known, unknown] = [await makeTeam(), await makeTeam()];
    const ip = freshAddress();
    expect(await statusOf(WHOAMI, ip, known.key)).toBe(200);
    await fail(WHOAMI, ip);
    expect(await statusOf(WHOAMI, ip, freshGuess())).toBe(403);
    for (const { key } of [known, unknown, known, unknown])
      expect(await statusOf(WHOAMI, ip, key)).toBe(200);
    expect(await statusOf(WHOAMI, ip, freshGuess())).toBe(403);
  });

  it("gets 403 without Retry-After for a valid key that may not be used from this address", async () => {
    const { key } = await makeKey(await makeTeam(), { allowed_ips: ["192.0.2.1"] });
    const ip = freshAddress();
    await fail(WHOAMI, ip);
    const response = await call("GET", WHOAMI, { key, ip });
    expect([response.status, response.headers.has("Retry-After")]).toEqual([403, false]);
  });
});

describe("the count of failures", () => {
  it("counts requests that arrive together one by one", async () => {
    const ip = freshAddress();
    const statuses = await Promise.all(
      Array.from({ length: 30 }, () => statusOf(WHOAMI, ip, freshGuess())),
    );
    expect([401, 403].map((status) => statuses.filter((one) => one === status).length)).toEqual([
      20, 10,
    ]);
  });

  it("leaves out a request without credentials", async () => {
    const ip = freshAddress();
    for (let request = 0; request < 30; request += 1) expect(await statusOf(WHOAMI, ip)).toBe(401);
    await fail(WHOAMI, ip);
  });
});

describe("/admin and the API", () => {
  it("count failures apart, let a right credential pass the block, and answer 401 if there is none", async () => {
    const { key } = await makeTeam();
    for (const [closed, right, other, rightThere] of [
      [WHOAMI, key, TEAMS, ADMIN_TOKEN],
      [TEAMS, ADMIN_TOKEN, WHOAMI, key],
    ] as const) {
      const ip = freshAddress();
      await fail(closed, ip);
      const statusesAt = async (path: string, valid: string) => [
        await statusOf(path, ip, freshGuess()),
        await statusOf(path, ip, valid),
        await statusOf(path, ip),
      ];
      expect([closed, await statusesAt(closed, right)]).toEqual([closed, [403, 200, 401]]);
      expect([other, await statusesAt(other, rightThere)]).toEqual([other, [401, 200, 401]]);
    }
  });
});
