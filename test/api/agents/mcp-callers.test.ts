// Tests POST /mcp (docs/mcp.md): who may call it, how its messages count against the request rate,
// and that programs can read the schemas of the tools.
import { beforeAll, describe, expect, it, vi } from "vitest";
import { call, makeTeam } from "../../support/api.ts";
import { consoleHeaders, ORIGIN, OWN_PAGE } from "../console/console-calls.ts";

interface ShownTool {
  readonly name: string;
  readonly inputSchema: Schema;
}

type Schema = Readonly<Record<string, unknown>>;

const descriptionOf = ({ description = "" }: Schema) => String(description);

/** Returns all properties of a JSON schema with their paths, nested ones included. */
function membersOf(schema: unknown, path: string): [string, Schema][] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "properties"
      ? Object.entries(value as Record<string, Schema>).flatMap(([name, member]) => [
          [`${path}.${name}`, member] as [string, Schema],
          ...membersOf(member, `${path}.${name}`),
        ])
      : membersOf(value, path),
  );
}

const message = (method: string, params?: unknown) =>
  JSON.stringify({ jsonrpc: "2.0", id: 7, method, params });

const notification = (method: string, params: unknown) =>
  JSON.stringify({ jsonrpc: "2.0", method, params });

const post = (raw: string, key: string) => call("POST", "/mcp", { key, raw });

describe("POST /mcp", () => {
  it("refuses a page of another origin, whatever key it has", async () => {
    const { key } = await makeTeam();
    const statusFrom = async (Origin: string) =>
      (await call("POST", "/mcp", { key, raw: message("ping"), headers: { Origin } })).status;
    expect(await statusFrom("https://evil.example")).toBe(403);
    expect(await statusFrom("null")).toBe(403);
    expect(await statusFrom(ORIGIN)).toBe(200);
  });

  it("takes no cookie of the console in place of a key", async () => {
    const headers = { ...(await consoleHeaders((await makeTeam()).key)), ...OWN_PAGE };
    expect((await call("POST", "/mcp", { headers, raw: message("ping") })).status).toBe(401);
  });

  it("answers 402 to a team without a subscription", async () => {
    const { key } = await makeTeam({ subscription: "inactive" });
    expect((await post(message("ping"), key)).status).toBe(402);
  });

  it.each([
    ["an unknown tool", message("tools/call", { name: "no_such_tool" })],
    ["a wrong argument", message("tools/call", { name: "why", arguments: { address: "ada" } })],
    ["an unknown method", message("resources/list")],
    ["a call that asks for no answer", notification("tools/call", { name: "list_domains" })],
    ["a notification", notification("notifications/initialized", {})],
    ["no JSON", "{"],
    ["a batch", "[]"],
  ])("counts %s against the rate as one request", async (_, raw) => {
    // The clock stands still, so the token bucket does not refill.
    vi.setSystemTime(Date.now());
    const slow = await makeTeam({ limits: { requests_per_second: 1 } });
    const statuses: number[] = [];
    for (let index = 0; index < 3; index += 1) statuses.push((await post(raw, slow.key)).status);
    expect(statuses.map((status) => status === 429)).toEqual([false, false, true]);
  });
});

let tools: readonly ShownTool[];

beforeAll(async () => {
  const response = await post(message("tools/list"), (await makeTeam()).key);
  ({ tools } = (await response.json<{ result: { tools: ShownTool[] } }>()).result);
  expect(tools.length).toBeGreaterThan(40);
});

describe("the tools of /mcp", () => {
  it("have schemas that contain every schema they refer to", async () => {
    for (const { name, inputSchema } of tools) {
      const text = JSON.stringify(inputSchema);
      const { $defs = {} } = inputSchema as { $defs?: Record<string, unknown> };
      const referred = Array.from(text.matchAll(/"\$ref":"([^"]+)"/g), ([, to = ""]) => to);
      expect(
        referred.filter((to) => !(to.replace("#/$defs/", "") in $defs)),
        name,
      ).toEqual([]);
      expect(inputSchema.type).toBe("object");
    }
  });

  it("describe every argument and every member of an argument in words", async () => {
    const silent = tools.flatMap(({ name, inputSchema }) =>
      membersOf(inputSchema, name).filter(
        ([, schema]) => !/\w{2} .*\w/.test(descriptionOf(schema)),
      ),
    );
    expect(silent.map(([path]) => path)).toEqual([]);
    // The schemas ask for no URL encoding, because tools take their arguments unencoded. They also
    // list no member that the server always refuses.
    expect(JSON.stringify(tools)).not.toMatch(/URL-encoded|%2A|"not":/);
  });

  it("have schemas with a single type in each place, for programs that know no unions", async () => {
    for (const { name, inputSchema } of tools)
      expect(JSON.stringify(inputSchema), name).not.toMatch(
        /"type":\[|"additionalProperties":\{\}/,
      );
  });
});
