// Tests how the client finds its deployment and its key
// (packages/postern/src/client/client-target.ts): in its arguments or in the environment. Anything
// else is an error.
import { afterEach, describe, expect, it, vi } from "vitest";
import { Postern } from "../../../packages/postern/src/client/postern.ts";
import { FakeApi } from "./fake-api.ts";

const DOMAIN = { status: 200, body: { id: "domain_1" } };

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe("a client", () => {
  const URL_ = "https://api.example.com";

  it.each([
    "https://api.example.com",
    "https://api.example.com/",
    "https://api.example.com/v1",
    "https://api.example.com/v1//",
    " https://API.example.com/v1/ ",
  ])("with the base URL %j sends its requests to paths below /v1", async (baseUrl) => {
    const api = new FakeApi([DOMAIN], { baseUrl });
    await api.client.domains.get("domain_1");
    expect(api.asked[0]?.url).toBe("https://api.example.com/v1/domains/domain_1");
  });

  it("keeps the path of a deployment's base URL", async () => {
    const api = new FakeApi([DOMAIN], { baseUrl: "http://localhost:8787/mail/v1" });
    await api.client.domains.get("domain_1");
    expect(api.asked[0]?.url).toBe("http://localhost:8787/mail/v1/domains/domain_1");
  });

  it("has the key and the URL of the environment, unless its arguments name others", async () => {
    vi.stubEnv("POSTERN_API_KEY", "ps_theirs");
    vi.stubEnv("POSTERN_URL", "https://theirs.example.com/v1");
    const asked: [string, string | null][] = [];
    const fetch = (url: string, init: RequestInit) => {
      asked.push([url, new Headers(init.headers).get("Authorization")]);
      return Promise.resolve(Response.json(DOMAIN.body));
    };
    await new Postern(undefined, { fetch }).domains.get("d");
    await new Postern("ps_mine", { fetch, baseUrl: URL_ }).domains.get("d");
    expect(asked).toEqual([
      ["https://theirs.example.com/v1/domains/d", "Bearer ps_theirs"],
      ["https://api.example.com/v1/domains/d", "Bearer ps_mine"],
    ]);
  });

  it.each<[key: unknown, baseUrl: unknown, words: RegExp]>([
    [undefined, URL_, /^the API key is missing: .* POSTERN_API_KEY$/],
    ["", URL_, /^the API key is empty$/],
    [" \n", URL_, /^the API key is empty$/],
    ["ps_key\n", URL_, /^the API key has a space, a line break or /],
    ["ps_k\u00e9y", URL_, /^the API key has .* not ASCII$/],
    [{ apiKey: "ps_key" }, URL_, /^the API key is not a string$/],
    [null, URL_, /^the API key is not a string$/],
    ["ps_key", undefined, /^the deployment's URL is missing: .* POSTERN_URL$/],
    ["ps_key", " ", /^baseUrl is empty$/],
    ["ps_key", "api.example.com", /^baseUrl is not an http or https URL: api\.example\.com$/],
    ["ps_key", "localhost:8787", /^baseUrl is not an http or https URL/],
    ["ps_key", "ftp://example.com", /^baseUrl is not an http or https URL/],
    ["ps_key", "https://me:secret@example.com", /^baseUrl has .*: https:\/\/example\.com$/],
    ["ps_key", "https://example.com/?a=1", /^baseUrl has more than a host and a path/],
  ])("throws at once for the key %j and the base URL %j", (key, baseUrl, words) => {
    vi.stubEnv("POSTERN_API_KEY", undefined);
    vi.stubEnv("POSTERN_URL", undefined);
    const make = () => new Postern(key as string, { baseUrl: baseUrl as string });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(words);
  });

  it("names an empty environment variable, and also runs without the global `process`", () => {
    vi.stubEnv("POSTERN_API_KEY", "");
    expect(() => new Postern()).toThrow(/^POSTERN_API_KEY is empty$/);
    vi.stubGlobal("process", undefined);
    expect(() => new Postern()).toThrow(/^the API key is missing/);
  });
});
