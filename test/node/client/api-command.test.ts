// Tests `postern api` (docs/command-line.md): it sends any request with the key, and prints the
// answer unchanged.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { CliHarness } from "./cli-harness.ts";

const cli = new CliHarness().use();
const CSV = "email,note\r\na@example.net,\u001b[2J\r\nb@example.net,é";

beforeEach(() => cli.answer({ a: [1], note: "\u009b" }));

describe("a request", () => {
  it("has the key, the query of its path, and no body", async () => {
    const { code, err } = await cli.postern("api get /v1/events?limit=5&tags=a%20b");
    expect([code, err]).toEqual([0, ""]);
    const [{ headers, body } = { headers: {}, body: "" }] = cli.requests;
    expect(cli.lines).toEqual(["GET /v1/events?limit=5&tags=a%20b"]);
    expect([headers.authorization, body]).toEqual(["Bearer ps_environment", ""]);
    expect(headers["content-type"]).toBeUndefined();
  });

  const path = () => join(cli.home, "body.json");
  it.each([
    ["the command line", () => '{"x": 1}'],
    ["a file", () => `@${path()}`],
    ["standard input", () => "-"],
  ])("has its body from %s, byte by byte", async (_, data) => {
    writeFileSync(path(), '{"x": 1}');
    const args = ["api", "POST", "/v1/domains", "--data", data()];
    expect((await cli.postern(args, { input: '{"x": 1}' })).code).toBe(0);
    const headers = { "content-type": "application/json" };
    expect(cli.requests).toMatchObject([{ body: '{"x": 1}', headers }]);
  });

  it("has the given headers, even Content-Type and Authorization", async () => {
    const given = ["Content-Type: text/csv", "idempotency-key:k:1", "Authorization: Bearer other"];
    const headers = given.flatMap((header) => ["-H", header]);
    await cli.postern(["api", "POST", "/v1/suppressions/import", "-d", "email\n", ...headers]);
    const own = { "idempotency-key": "k:1", authorization: "Bearer other" };
    expect(cli.requests[0]?.headers).toMatchObject({ "content-type": "text/csv", ...own });
    expect(cli.requests.map(({ body }) => body)).toEqual(["email\n"]);
  });
});

describe("an answer", () => {
  it("of JSON is printed as it came, and with indentation on a terminal", async () => {
    const args = "api GET /v1/x";
    expect((await cli.postern(args)).out).toBe('{"a":[1],"note":"\u009b"}\n');
    const shown = await cli.postern(args, { isTerminal: true });
    expect(shown.out).toBe('{\n  "a": [\n    1\n  ],\n  "note": "\\u009b"\n}\n');
  });

  it("of another type is printed byte by byte, and harmless on a terminal", async () => {
    cli.answers = [{ status: 200, body: CSV, headers: { "Content-Type": "text/csv" } }];
    const args = "api GET /v1/suppressions/export";
    expect((await cli.postern(args)).out).toBe(CSV);
    const shown = await cli.postern(args, { isTerminal: true });
    expect(shown.out).toBe("email,note\na@example.net,?[2J\nb@example.net,é\n");
  });

  it("without a body prints nothing, and with --include its status and headers", async () => {
    for (const isTerminal of [false, true])
      for (const [status, method] of [
        [204, "DELETE"],
        [200, "HEAD"],
      ] as const) {
        const headers = { "Content-Type": "application/json" };
        cli.answers = [{ status, headers }];
        const ran = await cli.postern(["api", method, "/v1/x"], { isTerminal });
        expect(ran).toEqual({ code: 0, out: "", err: "" });
      }
    cli.answers = [{ status: 204, headers: { "X-Request-Id": "req_1" } }];
    const { out } = await cli.postern("api DELETE /v1/x --include");
    expect(out).toMatch(/^HTTP 204 No Content\n[^]*^x-request-id: req_1\n\n$/m);
  });

  it("that redirects is printed, and the redirect is not followed", async () => {
    cli.answers = [{ status: 302, headers: { Location: "/elsewhere" } }];
    const { code, out } = await cli.postern("api POST /v1/x -i");
    expect([code, cli.lines]).toEqual([0, ["POST /v1/x"]]);
    expect(out).toContain("location: /elsewhere\n");
  });

  const EXITS: Record<number, number[]> = {
    1: [500, 503],
    3: [401, 402, 403],
    4: [404],
    5: [405, 409, 410, 412, 413, 415, 422],
    6: [429],
  };
  it.each(
    Object.entries(EXITS).flatMap(([code, all]) => all.map((one) => [one, Number(code)] as const)),
  )("of status %i is an error on standard error, with the exit code %i", async (status, code) => {
    const error = { type: "validation_error", message: "No.", errors: { name: ["is required"] } };
    cli.answers = [{ status, body: { error } }];
    const ran = await cli.postern("api POST /v1/x");
    expect(ran).toEqual({ code, out: "", err: `postern: ${status}: No.; name is required\n` });
    expect(cli.requests).toHaveLength(1);
    const { err } = await cli.postern("api POST /v1/x --json");
    expect(JSON.parse(err)).toMatchObject({ error: { status, errors: error.errors } });
  });

  it("is printed while it arrives; if it breaks off, the exit code is 7", async () => {
    async function* body() {
      yield "first,";
      await vi.waitFor(() => expect(cli.printed()).toBe("first,"));
      yield "second";
    }
    cli.answers = [{ status: 200, body: body() }];
    const whole = await cli.postern("api GET /v1/x");
    expect(whole).toMatchObject({ code: 0, out: "first,second" });
    async function* broken() {
      yield "first,";
      await vi.waitFor(() => expect(cli.printed()).toBe("first,"));
      throw new Error("broken");
    }
    cli.answers = [{ status: 200, body: broken() }];
    const half = await cli.postern("api GET /v1/x");
    expect(half).toMatchObject({ code: 7, out: "first," });
    expect(half.err).toMatch(
      /^postern: the answer of http:\/\/127\.0\.0\.1:\d+\/v1\/x broke off: .+\n$/,
    );
  });

  it("that does not come makes the exit code 7", async () => {
    const environment = { POSTERN_URL: "http://127.0.0.1:2" };
    const { code, err } = await cli.postern("api GET /v1/x", { environment });
    expect([code, err]).toEqual([7, "postern: http://127.0.0.1:2 gave no answer: ECONNREFUSED\n"]);
  });
});
