// Tests POST /console/preview (src/api/console/preview-page.ts): it returns the posted mail
// unchanged, forbids every script in the mail, and accepts posts only from the console.
import { beforeAll, describe, expect, it } from "vitest";
import { type ErrorBody, makeTeam } from "../../support/api.ts";
import { visit } from "../../support/recipient.ts";
import { consoleHeaders, operatorHeaders } from "./console-calls.ts";

const URL = "https://api.postern.test/console/preview";
const OWN = { "Sec-Fetch-Site": "same-origin" };
const MAIL =
  '<!doctype html><style>p{color:red}</style><p onclick="x()">Dear Zoë & <script>x()</script>';

function formOf(html: string): FormData {
  const form = new FormData();
  form.set("html", html);
  return form;
}

let cookie: string;

beforeAll(async () => {
  cookie = (await consoleHeaders((await makeTeam()).key))["Cookie"] ?? "";
});

const post = (body: BodyInit, headers: Record<string, string> = OWN) =>
  visit(URL, { method: "POST", headers: { Cookie: cookie, ...headers }, body });

describe("POST /console/preview", () => {
  it("answers the posted mail, and adds a base tag so that its links open nothing", async () => {
    const response = await post(formOf(MAIL));
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(await response.text()).toBe(`${MAIL}<base target="_blank">`);
  });

  it("allows the mail its styles and pictures, and no script, form, frame or cache", async () => {
    const { headers } = await post(new URLSearchParams({ html: MAIL }));
    expect(headers.get("Content-Security-Policy")).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; " +
        "frame-ancestors 'self'",
    );
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.has("Set-Cookie")).toBe(false);
  });

  it("allows no picture of another server to a mail whose form asks for own images", async () => {
    const { headers } = await post(new URLSearchParams({ html: MAIL, images: "own" }));
    expect(headers.get("Content-Security-Policy")).toContain("; img-src data:; ");
  });

  it("takes a mail of the largest size that a template may have", async () => {
    const html = "<p>ü</p>".repeat(29_000);
    expect(await (await post(formOf(html))).text()).toBe(`${html}<base target="_blank">`);
  });

  it.each<[string, Record<string, string>]>([
    ["another site", { "Sec-Fetch-Site": "cross-site" }],
    ["another host of this domain", { "Sec-Fetch-Site": "same-site" }],
    ["the address bar", { "Sec-Fetch-Site": "none" }],
    ["another origin of an old browser", { Origin: "https://evil.example" }],
    ["a hidden origin", { Origin: "null" }],
    ["a program that names no origin", {}],
  ])("answers 404 to a form of %s", async (_whose, headers) => {
    const response = await post(formOf("<p>Sign in again</p>"), headers);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain("Sign in again");
  });

  it("answers 401 to a form without the session of a team", async () => {
    const { Cookie: operators = "" } = await operatorHeaders();
    for (const Cookie of ["", `${cookie}x`, operators]) {
      const response = await post(formOf("<p>Sign in again</p>"), { ...OWN, Cookie });
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain("Sign in again");
    }
  });

  it("takes a form of 4 MB, with or without Content-Length, and answers 413 to a larger one", async () => {
    const html = "x".repeat(4_194_304 - 200);
    for (const [text, status] of [
      [html, 200],
      [`${html}${"x".repeat(300)}`, 413],
    ] as const) {
      const form = new Response(formOf(text));
      const type = { "Content-Type": form.headers.get("Content-Type") ?? "" };
      const bytes = await form.bytes();
      for (const body of [bytes, new Blob([bytes]).stream()])
        expect((await post(body, { ...OWN, ...type })).status).toBe(status);
    }
  });

  it("trusts the Origin of a browser that sends no Sec-Fetch-Site", async () => {
    const response = await post(formOf(MAIL), { Origin: "https://api.postern.test" });
    expect(response.status).toBe(200);
  });

  it("answers 400 to a form without the mail, and 415 to a body that is not a form", async () => {
    const without = await post(new URLSearchParams({ text: "x" }));
    expect([
      without.status,
      Object.keys((await without.json<ErrorBody>()).error.errors ?? {}),
    ]).toEqual([400, ["html"]]);
    const asJson = { ...OWN, "Content-Type": "application/json" };
    const json = await post(JSON.stringify({ html: MAIL }), asJson);
    expect(json.status).toBe(415);
    const asForm = { ...OWN, "Content-Type": "multipart/form-data; boundary=x" };
    const torn = await post("no form", asForm);
    expect(torn.status).toBe(400);
  });
});
