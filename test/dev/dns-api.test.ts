// Tests the part of Cloudflare's DNS API that the local DNS server offers
// (tools/dev/dns/cloudflare-api.ts).
import { describe, expect, it } from "vitest";
import { ask, call, put, useDns } from "./dns-harness.ts";

useDns();

describe("the Cloudflare DNS API", () => {
  const RECORD = { type: "TXT", name: "ps1.l.dkim.postern.test", content: '"v=DKIM1; p=abc"' };
  const TXT = { ...RECORD, ttl: 300, proxied: false };

  async function api(
    path = "",
    method = "GET",
    body?: unknown,
    authorization = "Bearer secret",
  ): Promise<{ status: number; json: Envelope }> {
    const headers: Record<string, string> = authorization === "" ? {} : { authorization };
    const url = `/client/v4/zones/zone-1/dns_records${path}`;
    const response = await call(url, method, body, headers);
    return { status: response.status, json: (await response.json()) as Envelope };
  }

  async function expectRefused(answer: ReturnType<typeof api>, status: number, code: number) {
    const json = { success: false, result: null, errors: [{ code }] };
    expect(await answer).toMatchObject({ status, json });
  }
  interface Envelope {
    success: boolean;
    errors: { code: number; message: string }[];
    messages: unknown[];
    result: { id: string; name: string; content: string; modified_on: string } & { id: string }[];
    result_info?: Record<string, number>;
  }

  it("creates, gets, changes and deletes a record, and DNS follows at once", async () => {
    const created = await api("", "POST", TXT);
    const result = { ...TXT, zone_name: "postern.test" };
    const json = { success: true, errors: [], messages: [], result };
    expect(created).toMatchObject({ status: 200, json });
    const { id } = created.json.result;
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(await ask(TXT.name, "TXT")).toEqual(["NOERROR", `${TXT.name} TXT v=DKIM1; p=abc`]);
    expect((await api(`/${id}`)).json.result).toMatchObject(TXT);
    const changed = await api(`/${id}`, "PATCH", { content: "v=DKIM1; p=def" });
    expect(changed.json.result.content).toBe("v=DKIM1; p=def");
    const renamed = await api(`/${id}`, "PUT", { ...TXT, name: "ps2.l.dkim" });
    expect(renamed.json.result.name).toBe("ps2.l.dkim.postern.test");
    expect(await ask("ps2.l.dkim.postern.test", "TXT")).toHaveLength(2);
    const deleted = await api(`/${id}`, "DELETE");
    expect(deleted).toMatchObject({ status: 200, json: { success: true, result: { id } } });
    await expectRefused(api(`/${id}`, "DELETE"), 404, 81044);
    expect(await ask("ps2.l.dkim.postern.test", "TXT")).toEqual(["NXDOMAIN"]);
  });

  it("lists records by name and type, page by page", async () => {
    for (const label of ["a", "b", "c"])
      await api("", "POST", { ...TXT, name: `${label}.dkim.postern.test` });
    await put("customer.test", "TXT", "not in this zone");
    const page = await api("?type=TXT&content=%22v%3DDKIM1%3B%20p%3Dabc%22&page=2&per_page=2");
    expect(page.json.result).toMatchObject([{ name: "c.dkim.postern.test" }]);
    const totals = { total_count: 3, total_pages: 2 };
    expect(page.json.result_info).toEqual({ page: 2, per_page: 2, count: 1, ...totals });
    expect((await api("?name=B.dkim.postern.test")).json.result).toHaveLength(1);
    expect((await api("?name=customer.test")).json.result).toEqual([]);
    expect((await api("?per_page=none")).status).toBe(400);
  });

  it("refuses what the real API refuses, with the same codes", async () => {
    await api("", "POST", TXT);
    await expectRefused(api("", "POST", TXT), 400, 81058);
    await expectRefused(api("", "POST", { ...TXT, type: "CNAME", content: "a.test" }), 400, 81053);
    await expectRefused(api("", "POST", { ...TXT, ttl: 5 }), 400, 9021);
    await expectRefused(api("", "POST", { ...TXT, name: "a..b" }), 400, 9000);
    await expectRefused(api("", "POST", { ...TXT, type: "NOPE" }), 400, 9004);
    await expectRefused(api("", "GET", undefined, ""), 400, 9106);
    await expectRefused(api("", "GET", undefined, "Bearer other"), 403, 9109);
    const headers = { authorization: "Bearer secret" };
    const path = "/client/v4/zones/other/dns_records";
    expect((await call(path, "GET", undefined, headers)).status).toBe(404);
  });
});
