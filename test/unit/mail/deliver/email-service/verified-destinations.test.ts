// Tests how the verified destinations of the operator's account are read and remembered
// (src/mail/deliver/email-service/verified-destinations.ts).
import { afterEach, expect, it, vi } from "vitest";
import { verifiedDestinations } from "../../../../../src/mail/deliver/email-service/verified-destinations.ts";

const NOW = Date.UTC(2026, 10, 1);
const VERIFIED = "2026-10-01T00:00:00Z";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Answers calls by the end of their URL. Each test has its own token, because of the cache. */
function fakeApi(results: Readonly<Record<string, unknown>>) {
  return vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { pathname, searchParams } = new URL(new Request(input).url);
    const key = `${pathname.replace("/client/v4", "")} ${searchParams.get("page") ?? ""}`.trim();
    return key in results
      ? Response.json({ success: true, result: results[key] })
      : Response.json({ success: false }, { status: 403 });
  });
}

const read = (emailApiToken: string, now = NOW) =>
  verifiedDestinations({ dnsApiUrl: "http://api.test/client/v4", emailApiToken }, now);

it("the verified addresses of the zones' accounts are known for ten minutes, in lower case", async () => {
  const addresses = "/accounts/acc1/email/routing/addresses";
  const page = Array.from({ length: 49 }, (_, at) => ({
    email: `${at}@a.test`,
    verified: VERIFIED,
  }));
  const api = fakeApi({
    "/zones": [{ account: { id: "acc1" } }, { account: { id: "acc1" } }, {}],
    [`${addresses} 1`]: [...page, { email: "Pending@a.test", verified: null }],
    [`${addresses} 2`]: [{ email: "Ann@B.test", verified: VERIFIED }],
  });
  const known = await read("two pages");
  expect(known.size).toBe(50);
  expect(known.has("ann@b.test")).toBe(true);
  expect(await read("two pages", NOW + 599_999)).toBe(known);
  expect(api).toHaveBeenCalledTimes(3);
  await read("two pages", NOW + 600_000);
  expect(api).toHaveBeenCalledTimes(6);
  api.mockRejectedValue(new Error("no network"));
  expect((await read("two pages", NOW + 1_200_000)).has("ann@b.test")).toBe(true);
});

it("no address is verified if the list can't be read, and the API is not asked again soon", async () => {
  const api = fakeApi({ "/zones": [{ account: { id: "acc1" } }] });
  expect([...(await read("without the right"))]).toEqual([]);
  expect([...(await read("without the right", NOW + 1_000))]).toEqual([]);
  expect(api).toHaveBeenCalledTimes(2);
});

it("the API is not asked without a token", async () => {
  const api = fakeApi({});
  expect([...(await read(""))]).toEqual([]);
  expect(api).not.toHaveBeenCalled();
});
