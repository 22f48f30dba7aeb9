// Tests POST /mcp in each version of the protocol (docs/mcp.md §The protocol). Since version
// 2026-07-28, each request names the version in the body and the headers. Clients of older versions
// begin with `initialize`.
import { describe, expect, it } from "vitest";
import { busyTeam, call } from "../../support/api.ts";
import { ofFile } from "../../support/before-tests.ts";

const VERSION = "2026-07-28";
const META = "io.modelcontextprotocol/";
const OLDER = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

interface Answer {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result: Record<string, unknown>;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const team = ofFile(busyTeam);

const metaOf = (version: unknown) => ({
  [`${META}protocolVersion`]: version,
  [`${META}clientInfo`]: { name: "test", version: "1" },
  [`${META}clientCapabilities`]: {},
});

interface Asked {
  readonly method: string;
  readonly params?: Record<string, unknown> | undefined;
  readonly headers?: Record<string, string>;
  readonly id?: unknown;
}

async function post({ method, params, headers = {}, id = 7 }: Asked) {
  const raw = JSON.stringify({ jsonrpc: "2.0", id, method, params });
  const response = await call("POST", "/mcp", { key: team.key, raw, headers });
  const text = await response.text();
  return { status: response.status, ...((text === "" ? {} : JSON.parse(text)) as Answer) };
}

/** Sends a request in version 2026-07-28 of the protocol. */
const ask = (method: string, { params = {}, headers = {} }: Partial<Asked> = {}) =>
  post({
    method,
    params: { ...params, _meta: metaOf(VERSION) },
    headers: {
      "MCP-Protocol-Version": VERSION,
      "Mcp-Method": method,
      ...(typeof params["name"] === "string" && { "Mcp-Name": params["name"] }),
      ...headers,
    },
  });

describe("a request of 2026-07-28", () => {
  it("to server/discover gets the versions, the capabilities and how long both may be cached", async () => {
    expect(await ask("server/discover")).toEqual({
      status: 200,
      jsonrpc: "2.0",
      id: 7,
      result: {
        resultType: "complete",
        supportedVersions: [VERSION, ...OLDER],
        capabilities: { tools: {} },
        instructions: expect.stringContaining("`why`") as string,
        ttlMs: 3_600_000,
        cacheScope: "public",
        _meta: { [`${META}serverInfo`]: expect.objectContaining({ name: "postern" }) as unknown },
      },
    });
  });

  it("to tools/list gets the same tools as an older request, and how long they may be cached", async () => {
    const { result: older } = await post({ method: "tools/list" });
    const { result } = await ask("tools/list");
    expect(result).toMatchObject({ resultType: "complete", ttlMs: 300_000, cacheScope: "private" });
    expect(result["tools"]).toEqual(older["tools"]);
    expect(older).toEqual({ tools: older["tools"] });
  });

  it("to tools/call gets a complete result, whether the tool fails or not", async () => {
    for (const [name, isError] of [
      ["list_domains", false],
      ["get_email", true],
    ] as const)
      expect((await ask("tools/call", { params: { name } })).result).toMatchObject({
        resultType: "complete",
        isError,
        _meta: { [`${META}serverInfo`]: { name: "postern" } },
      });
  });

  it("takes a tool's name in base64 as the same name", async () => {
    const params = { name: "list_domains" };
    const headers = { "Mcp-Name": `=?base64?${btoa("list_domains")}?=` };
    expect((await ask("tools/call", { params, headers })).status).toBe(200);
  });

  it.each(["initialize", "ping", "resources/list", "subscriptions/listen", "logging/setLevel"])(
    "to %s gets 404, because the method does not exist",
    async (method) => {
      expect(await ask(method)).toMatchObject({ status: 404, id: 7, error: { code: -32_601 } });
    },
  );

  it("for an unknown tool gets an error of the protocol", async () => {
    const answer = await ask("tools/call", { params: { name: "no_such_tool" } });
    expect(answer).toMatchObject({ status: 200, error: { code: -32_602 } });
  });
});

describe("a version that is unknown", () => {
  const data = { supported: [VERSION, ...OLDER], requested: "1900-01-01" };
  const refused = { status: 400, id: 7, error: { code: -32_022, data } };

  it.each<[string, Record<string, unknown> | undefined, string | undefined]>([
    ["in the body and the header", metaOf("1900-01-01"), "1900-01-01"],
    ["in the body alone", metaOf("1900-01-01"), undefined],
    ["in the header alone", undefined, "1900-01-01"],
    [
      "in a body without the other members",
      { [`${META}protocolVersion`]: "1900-01-01" },
      undefined,
    ],
  ])("%s is answered with the known versions", async (_, meta, header) => {
    const answer = await post({
      method: "tools/list",
      params: meta && { _meta: meta },
      headers: header === undefined ? {} : { "MCP-Protocol-Version": header },
    });
    expect(answer).toMatchObject(refused);
  });

  it("is refused in a notification too", async () => {
    const raw = JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress" });
    const headers = { "MCP-Protocol-Version": "1900-01-01" };
    expect((await call("POST", "/mcp", { key: team.key, raw, headers })).status).toBe(400);
  });
});

describe("a request of 2026-07-28 that is malformed", () => {
  const without = (name: string) =>
    Object.fromEntries(
      Object.entries(metaOf(VERSION)).filter(([member]) => member !== META + name),
    );

  it.each<[string, Record<string, unknown> | undefined, string]>([
    ["without _meta", undefined, "protocolVersion"],
    ["without its version", without("protocolVersion"), "protocolVersion"],
    ["whose version is no text", metaOf(2026), "protocolVersion"],
    ["without its capabilities", without("clientCapabilities"), "clientCapabilities"],
  ])("%s gets 400, which names the member", async (_, meta, member) => {
    const isNamed = typeof meta?.[`${META}protocolVersion`] !== "number";
    const answer = await post({
      method: "tools/list",
      params: meta && { _meta: meta },
      headers: { ...(isNamed && { "MCP-Protocol-Version": VERSION }), "Mcp-Method": "tools/list" },
    });
    expect(answer).toMatchObject({ status: 400, id: 7, error: { code: -32_602 } });
    expect(answer.error.message).toContain(`${META}${member}`);
  });

  it("is a request to server/discover without _meta", async () => {
    const answer = await post({ method: "server/discover" });
    expect(answer).toMatchObject({ status: 400, error: { code: -32_602 } });
  });

  const name = "list_domains";
  it.each([
    ["MCP-Protocol-Version", undefined],
    ["MCP-Protocol-Version", "2025-11-25"],
    ["Mcp-Method", undefined],
    ["Mcp-Method", "tools/list"],
    ["Mcp-Name", undefined],
    ["Mcp-Name", "send_email"],
    ["Mcp-Name", "=?base64?*?="],
    ["Mcp-Name", `=?base64?${btoa("send_email")}?=`],
  ])("by its header %s: %s gets 400, which names the header", async (header, value) => {
    const headers: Record<string, string> = {
      "MCP-Protocol-Version": VERSION,
      "Mcp-Method": "tools/call",
      "Mcp-Name": name,
    };
    if (value === undefined) delete headers[header];
    else headers[header] = value;
    const params = { name, _meta: metaOf(VERSION) };
    const answer = await post({ method: "tools/call", params, headers });
    expect(answer).toMatchObject({ status: 400, id: 7, error: { code: -32_020 } });
    expect(answer.error.message).toContain(header);
  });
});

describe("an older request", () => {
  it.each(OLDER)("of %s is answered by the rules of its own version", async (version) => {
    const headers = { "MCP-Protocol-Version": version };
    for (const [protocolVersion, answered] of [
      [version, version],
      ["1999-01-01", OLDER[0]],
    ]) {
      const params = { protocolVersion, capabilities: {} };
      const { result } = await post({ method: "initialize", params });
      expect(result).toMatchObject({
        protocolVersion: answered,
        capabilities: { tools: {} },
        serverInfo: { name: "postern" },
      });
      expect(result).not.toHaveProperty("resultType");
    }
    expect(await post({ method: "ping", headers })).toMatchObject({ status: 200, result: {} });
    const unknown = await post({ method: "resources/list", headers });
    expect(unknown).toMatchObject({ status: 200, error: { code: -32_601 } });
    const used = await post({ method: "tools/call", params: { name: "list_domains" }, headers });
    expect(used.result).not.toHaveProperty("resultType");
  });

  it("that names its version in _meta is answered by the rules of that version", async () => {
    const params = { _meta: metaOf("2025-11-25") };
    expect((await post({ method: "ping", params })).result).toEqual({});
  });

  it.each([[1.5], [true], [{}], [null]])("with the id %j is malformed", async (id) => {
    const expected = { status: 400, id: null, error: { code: -32_600 } };
    expect(await post({ method: "ping", id })).toMatchObject(expected);
  });
});
