// Tests GET /admin/deployment and /admin/gateways (src/resources/deployment): the operator sees the
// settings, what each gateway found about itself, and whether gateway and worker share a token. The
// answer never shows the token.
import { describe, expect, it, vi } from "vitest";
import { ADMIN_TOKEN, askDeployment, bindings, ok, operator } from "../support/api.ts";
import { FakeEgress } from "../support/fakes/fake-egress.ts";

const DATE = "Sat, 21 Nov 2026 09:30:00 GMT";

async function deployment(): Promise<{ readonly gateways: Record<string, unknown>[] }> {
  return ok(operator.get("/admin/deployment"));
}

/** Replaces fetch, so that the gateway's address gives this response. */
function answering(response: () => Response): void {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => response());
}

describe("GET /admin/deployment", () => {
  it("shows the settings, and that the gateway accepts the token", async () => {
    const egress = new FakeEgress();
    const before = Date.now();
    const found = await deployment();
    expect(found).toEqual({
      service_domain: "postern.test",
      public_url: "https://postern.test",
      outbound: "gateway",
      gateways: [{ url: "http://egress.test", state: "agreed", status: 200, date: null }],
      jurisdiction: null,
      object_jurisdiction: null,
      teams_elsewhere: 0,
      access: null,
      time: expect.any(String),
    });
    expect(Date.parse((found as unknown as { time: string }).time)).toBeGreaterThanOrEqual(
      before - 1_000,
    );
    expect(egress.carried).toEqual([]);
  });

  it.each([
    ["refused", 401, '{"error":"wrong token"}', "Content-Type", "application/json"],
    ["unavailable", 503, '{"error":"draining"}', "Content-Type", "application/json"],
    ["unexpected", 200, "<h1>It works!</h1>", "Content-Type", "text/html"],
    ["unexpected", 302, null, "Location", "https://example.net/"],
  ])("shows a gateway as %s when it answers %i", async (state, status, body, name, value) => {
    answering(() => new Response(body, { status, headers: { [name]: value, Date: DATE } }));
    const expected = { state, status, date: "2026-11-21T09:30:00.000Z" };
    expect((await deployment()).gateways[0]).toMatchObject(expected);
  });

  it("shows a gateway that does not answer as unreachable", async () => {
    const egress = new FakeEgress();
    egress.up = false;
    const expected = { state: "unreachable", status: null, date: null };
    expect((await deployment()).gateways[0]).toMatchObject(expected);
  });

  it("asks each of several gateways", async () => {
    const hosts = ["https://a.egress.test", "https://b.egress.test", "https://c.egress.test"];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input) =>
      new Request(input).url.startsWith(hosts[1] ?? "")
        ? new Response(null, { status: 401 })
        : new Response("", { headers: { "Content-Type": "application/x-ndjson" } }),
    );
    const parts = { EGRESS_URL: hosts.join(",") };
    const shown = askDeployment(parts, "GET", "/admin/deployment", ADMIN_TOKEN);
    expect(await ok(shown)).toMatchObject({
      gateways: [
        { url: hosts[0], state: "agreed" },
        { url: hosts[1], state: "refused", status: 401 },
        { url: hosts[2], state: "agreed" },
      ],
    });
  });

  it("shows no secret", async () => {
    answering(() => new Response(null, { status: 401 }));
    const text = await (await operator.get("/admin/deployment")).text();
    for (const secret of [
      "gateway-token-for-tests",
      "signing-key-for-tests",
      ADMIN_TOKEN,
      "dns-token-for-tests",
    ])
      expect(text).not.toContain(secret);
  });
});

describe("GET /admin/gateways", () => {
  const watch = {
    checked_at: "2026-11-21T09:30:00.000Z",
    findings: [
      {
        check: "ptr",
        status: "critical",
        subject: "198.51.100.7",
        message: "198.51.100.7 has no reverse DNS",
        advice: "ask the provider",
        link: null,
      },
    ],
  };
  const destination = {
    name: "198.51.100.0/24",
    pool: "default",
    open: 5,
    waiting: 90,
    refused: 2,
    concurrency: 5,
    why: "announced",
  };
  const list = async () => (await operator.get("/admin/gateways")).json<unknown>();

  it("shows what a gateway found, asked for with the worker's token", async () => {
    const asked: Request[] = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      asked.push(new Request(input, init));
      return Response.json({ ...watch, destinations: [destination] });
    });
    expect(await list()).toEqual({
      gateways: [{ url: "http://egress.test", watch: { ...watch, destinations: [destination] } }],
    });
    expect(asked.map(({ url, headers }) => [url, headers.get("Authorization")])).toEqual([
      ["http://egress.test/watch", `Bearer ${bindings.GATEWAY_TOKEN}`],
    ]);
  });

  it("shows no destinations of a gateway that reports no destinations", async () => {
    answering(() => Response.json(watch));
    expect(await list()).toMatchObject({ gateways: [{ watch: { ...watch, destinations: [] } }] });
  });

  it.each<[string, () => Response]>([
    ["knows no such path", () => Response.json({ error: "no such path" }, { status: 404 })],
    ["serves something else", () => new Response("<h1>It works!</h1>")],
    ["answers another shape", () => Response.json({ checked_at: "today", findings: [] })],
    [
      "links to a script",
      () =>
        Response.json({
          ...watch,
          findings: watch.findings.map((one) => ({ ...one, link: "javascript:alert(1)" })),
        }),
    ],
    ...Object.entries({
      "names destinations of another shape": [{ ...destination, open: "5" }],
      "counts below zero": [{ ...destination, waiting: -1 }],
      "gives an unknown reason": [{ ...destination, why: "weather" }],
      "gives a destination a long name": [{ ...destination, name: "a".repeat(256) }],
      "names too many destinations": Array.from({ length: 21 }, () => destination),
    }).map(([title, destinations]): [string, () => Response] => [
      title,
      () => Response.json({ ...watch, destinations }),
    ]),
    [
      "does not answer",
      () => {
        throw new TypeError("down");
      },
    ],
  ])("shows nothing of a gateway that %s", async (_, answer) => {
    answering(answer);
    expect(await list()).toEqual({ gateways: [{ url: "http://egress.test", watch: null }] });
  });
});
