// POST /mcp (docs/mcp.md §The protocol): who may ask, and how its messages count against the rate.
import { describe, expect, it, vi } from "vitest";
import { call, makeTeam } from "../../support/api.ts";
import { consoleHeaders, ORIGIN, OWN_PAGE } from "../console/console-calls.ts";

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
    // The clock stands still, so no request flows in.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const slow = await makeTeam({ limits: { requests_per_second: 1 } });
    const statuses: number[] = [];
    for (let index = 0; index < 3; index += 1) statuses.push((await post(raw, slow.key)).status);
    expect(statuses.map((status) => status === 429)).toEqual([false, false, true]);
  });
});
