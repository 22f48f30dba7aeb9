// Tests the part of Cloudflare's DNS API that the local DNS server offers
// (tools/dev/dns/cloudflare-api.ts).
import { describe, expect, it } from "vitest";
import { ask, call, put, useDns } from "./dns-harness.ts";

useDns();

describe("the Cloudflare DNS API", () => {
  const TXT = {
    type: "TXT",
    name: "ps1.l.dkim.postern.test",
    content: '"v=DKIM1; p=abc"',
    ttl: 300,
    proxied: false,
  };

  async function api(
    path = "",
    method = "GET",
    body?: unknown,
    authorization = "Bearer secret",
  ): Promise<{ status: number; json: Envelope }> {
    const headers: Record<string, string> = authorization === "" ? {} : { authorization };
    const response = await call(
      `/client/v4/zones/zone-1/dns_records${path}`,
      method,
      body,
      headers,
    );
    return { status: response.status, json: (await response.json()) as Envelope };
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
    expect(created).toMatchObject({
      status: 200,
      json: {
        success: true,
        errors: [],
        messages: [],
        result: { ...TXT, zone_name: "postern.test" },
      },
    });
    const { id } = created.json.result;
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(await ask(TXT.name, "TXT")).toEqual(["NOERROR", `${TXT.name} TXT v=DKIM1; p=abc`]);
    expect((await api(`/${id}`)).json.result).toMatchObject(TXT);
    expect((await api(`/${id}`, "PATCH", { content: "v=DKIM1; p=def" })).json.result.content).toBe(
      "v=DKIM1; p=def",
    );
    expect((await api(`/${id}`, "PUT", { ...TXT, name: "ps2.l.dkim" })).json.result.name).toBe(
      "ps2.l.dkim.postern.test",
    );
    expect(await ask("ps2.l.dkim.postern.test", "TXT")).toHaveLength(2);
    expect(await api(`/${id}`, "DELETE")).toMatchObject({
      status: 200,
      json: { success: true, result: { id } },
    });
    expect(await api(`/${id}`, "DELETE")).toMatchObject({
      status: 404,
      json: { success: false, errors: [{ code: 81044 }] },
    });
    expect(await ask("ps2.l.dkim.postern.test", "TXT")).toEqual(["NXDOMAIN"]);
  });

  it("lists records by name and type, page by page", async () => {
    for (const label of ["a", "b", "c"])
      await api("", "POST", { ...TXT, name: `${label}.dkim.postern.test` });
    await put("customer.test", "TXT", "not in this zone");
    const page = await api("?type=TXT&content=%22v%3DDKIM1%3B%20p%3Dabc%22&page=2&per_page=2");
    expect(page.json.result.map((record) => (record as unknown as { name: string }).name)).toEqual([
      "c.dkim.postern.test",
    ]);
    expect(page.json.result_info).toEqual({
      page: 2,
      per_page: 2,
      count: 1,
      total_count: 3,
      total_pages: 2,
    });
    expect((await api("?name=B.dkim.postern.test")).json.result).toHaveLength(1);
    expect((await api("?name=customer.test")).json.result).toEqual([]);
    expect((await api("?per_page=none")).status).toBe(400);
  });

  it("refuses what the real API refuses, with the same codes", async () => {
    await api("", "POST", TXT);
    expect(await api("", "POST", TXT)).toMatchObject({
      status: 400,
      json: { success: false, result: null, errors: [{ code: 81058 }] },
    });
    expect(await api("", "POST", { ...TXT, type: "CNAME", content: "a.test" })).toMatchObject({
      status: 400,
      json: { errors: [{ code: 81053 }] },
    });
    expect(await api("", "POST", { ...TXT, ttl: 5 })).toMatchObject({
      status: 400,
      json: { errors: [{ code: 9021 }] },
    });
    expect(await api("", "POST", { ...TXT, name: "a..b" })).toMatchObject({
      status: 400,
      json: { errors: [{ code: 9000 }] },
    });
    expect(await api("", "POST", { ...TXT, type: "NOPE" })).toMatchObject({
      status: 400,
      json: { errors: [{ code: 9004 }] },
    });
    expect(await api("", "GET", undefined, "")).toMatchObject({
      status: 400,
      json: { success: false, errors: [{ code: 9106 }] },
    });
    expect(await api("", "GET", undefined, "Bearer other")).toMatchObject({
      status: 403,
      json: { success: false, errors: [{ code: 9109 }] },
    });
    const other = await call("/client/v4/zones/other/dns_records", "GET", undefined, {
      authorization: "Bearer secret",
    });
    expect(other.status).toBe(404);
  });
});
