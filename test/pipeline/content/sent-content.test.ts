// Tests the kept content of sent mail (contract.md §Kept content): what is shown of it, and what is
// never kept.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { bindings, call, makeTeam, ok } from "../../support/api.ts";
import { resendClient } from "../../api/resend/resend-client.ts";
import { Harness, someone } from "../../support/harness.ts";
import { trackOn } from "../../support/recipient.ts";
import { ofEachTest } from "../../support/before-tests.ts";

interface Content {
  readonly html: string | null;
  readonly text: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly Readonly<Record<string, unknown>>[];
  readonly kept_until: string;
}

const DAY_MS = 86_400_000;
const LINK = {
  download_url: expect.stringMatching(/^https:\/\/postern\.test\/a\/[\w-]+$/) as string,
  download_expires_at: expect.stringMatching(/Z$/) as string,
};
const PIXEL = "iVBORw0KGgo=";

const harness = ofEachTest(Harness.make);

beforeEach(async () => {
  await trackOn(harness.domain);
  await ok(harness.patch("/v1/team", { content_days: 7 }));
});

const contentPath = (id: string) => `/v1/email/${id}/content`;
const contentOf = (id: string) => ok<Content>(harness.get(contentPath(id)));

/** The words of a 404 that say why the content is not kept. */
async function reasonOf(id: string): Promise<string> {
  const response = await harness.get(contentPath(id));
  const { error } = await response.json<{ error: { type: string; message: string } }>();
  expect([response.status, error.type]).toEqual([404, "not_found"]);
  return error.message.replace("The content of this message is not kept: ", "");
}

/** Waits until the message's recipient has its outcome and its content is in R2. */
async function kept(id: string): Promise<Content> {
  await harness.history(id, 1);
  await expect.poll(async () => (await keysOf(id)).length).toBe(1);
  return contentOf(id);
}

async function keysOf(id: string): Promise<string[]> {
  const { objects } = await bindings.CONTENT.list({ prefix: "kept/" });
  return objects.map(({ key }) => key).filter((key) => key.includes(id));
}

async function bytesOf(id: string, index: number): Promise<[string | null, string]> {
  const response = await harness.get(`${contentPath(id)}/attachments/${index}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return [response.headers.get("Content-Disposition"), String.fromCharCode(...bytes)];
}

describe("the content of a sent message", () => {
  it("is shown as it was accepted: rendered, without tracking, with a dead unsubscribe link", async () => {
    const to = someone();
    const { id, created_at } = await harness.accepted({
      to: [`Ann <${to}>`],
      reply_to: "help@shop.example",
      subject: "Hi {{name}}",
      text: "Leave: {{unsubscribe_url}}",
      html: '<a href="https://shop.example/a">A</a> <a href="{{unsubscribe_url}}">x</a> <img src="cid:logo">',
      headers: { "X-Order": "17" },
      topic: "news",
      unsubscribe: { mode: "generate" },
      variables: { name: "Ann" },
      attachments: [
        { filename: "logo.png", content: PIXEL, content_id: "logo" },
        { filename: "Gruß's.txt", content: btoa("hello") },
      ],
    });
    expect(await kept(id)).toEqual({
      html: '<a href="https://shop.example/a">A</a> <a href="https://unsubscribe.invalid/">x</a> <img src="cid:logo">',
      text: "Leave: https://unsubscribe.invalid/",
      headers: {
        From: `The Shop <hello@${harness.domain}>`,
        To: `Ann <${to}>`,
        "Reply-To": "help@shop.example",
        Subject: "Hi Ann",
        "Message-ID": `<${id.slice(6)}@${harness.domain}>`,
        "X-Order": "17",
      },
      attachments: [
        {
          index: 0,
          filename: "logo.png",
          content_type: "image/png",
          content_id: "logo",
          size: 8,
          ...LINK,
        },
        {
          index: 1,
          filename: "Gruß's.txt",
          content_type: "text/plain",
          content_id: null,
          size: 5,
          ...LINK,
        },
      ],
      kept_until: new Date(Date.parse(created_at) + 7 * DAY_MS).toISOString(),
    });
    const name = "attachment; filename*=UTF-8''Gru%C3%9F%27s.txt";
    expect(await bytesOf(id, 1)).toEqual([name, "hello"]);
    for (const index of ["2", "x", "-1", "99999"]) {
      const path = `${contentPath(id)}/attachments/${index}`;
      expect((await harness.get(path)).status).toBe(404);
    }
    const other = await makeTeam();
    expect((await other.get(contentPath(id))).status).toBe(404);
  });

  it("is shown by Resend's client, and its files by links that need no key for an hour", async () => {
    const attachments = [{ filename: "a.txt", content: btoa("hello") }];
    const message = {
      to: [someone()],
      text: "Hi",
      html: "<p>Hi</p>",
      reply_to: ["a@shop.example"],
    };
    const id = await harness.send({ ...message, attachments });
    await kept(id);
    const { emails } = resendClient(harness.key);
    const { data: email } = await emails.get(id.slice(6));
    expect(email).toMatchObject({ html: "<p>Hi</p>", text: "Hi", reply_to: ["a@shop.example"] });
    const { data: list } = await emails.attachments.list({ emailId: id.slice(6) });
    const file = { id: "0", filename: "a.txt", size: 5, content_disposition: "attachment" };
    expect(list).toMatchObject({ object: "list", has_more: false, data: [file] });
    const { data: one } = await emails.attachments.get({ emailId: id.slice(6), id: "0" });
    expect(one).toMatchObject({ object: "attachment", ...file });
    const path = new URL(one?.download_url ?? "").pathname;
    const response = await call("GET", path);
    expect([response.status, await response.text()]).toEqual([200, "hello"]);
    expect(response.headers.get("Content-Type")).toBe("application/octet-stream");
    for (const wrong of [`${path}x`, "/a/x", path.slice(0, -4)])
      expect((await call("GET", wrong)).status).toBe(404);
    vi.setSystemTime(Date.now() + 3_600_001);
    expect((await call("GET", path)).status).toBe(404);
    vi.useRealTimers();
  });

  it("is read from the parts of a message by SMTP, with its files and attached messages", async () => {
    const part = (head: string, body: string) => `--b\r\n${head}\r\n\r\n${body}\r\n`;
    const id = await harness.submit(
      [someone()],
      `From: hello@${harness.domain}\r\nSubject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r\nMIME-Version: 1.0\r\n` +
        'Content-Type: multipart/mixed; boundary="b"\r\n\r\n' +
        part("Content-Type: text/plain; charset=iso-8859-1", "gr\xfcn") +
        part("Content-Type: text/html\r\nContent-Transfer-Encoding: base64", btoa("<p>Hi</p>")) +
        part(
          "Content-Type: image/png\r\nContent-ID: <logo@x>\r\nContent-Transfer-Encoding: base64",
          PIXEL,
        ) +
        part('Content-Type: text/plain; name="a.txt"\r\nContent-Disposition: attachment', "file") +
        part("Content-Type: message/rfc822", "Subject: Inner\r\n\r\ninside") +
        "--b--\r\n",
    );
    const { html, text, headers, attachments } = await kept(id);
    expect([html, text, headers["Subject"]]).toEqual(["<p>Hi</p>", "grün", "Grüße"]);
    expect(attachments).toMatchObject([
      { filename: "unnamed", content_type: "image/png", content_id: "logo@x", size: 8 },
      { filename: "a.txt", content_type: "text/plain", content_id: null, size: 4 },
      { filename: "message.eml", content_type: "message/rfc822" },
    ]);
    expect((await bytesOf(id, 1))[1]).toBe("file");
  });

  it("is kept of a message whose recipient is suppressed, and of one over 1 MB", async () => {
    const email = someone();
    await ok(harness.post("/v1/suppressions", { email, topic: "*" }), 201);
    const text = "x".repeat(120_000);
    expect((await kept(await harness.send({ to: [email], text }))).text).toBe(text);
    const attachments = [{ filename: "a.bin", content: btoa("y".repeat(1_500_000)) }];
    const large = await harness.send({ to: [email], text: "large", attachments });
    expect(await kept(large)).toMatchObject({ text: "large", attachments: [{ size: 1_500_000 }] });
  });

  it("is read in the ledger while the message waits, and gone after a cancellation", async () => {
    const later = { scheduled_at: new Date(Date.now() + DAY_MS).toISOString() };
    const small = await harness.send({ to: [someone()], text: "later", ...later });
    const large = await harness.send({ to: [someone()], text: "z".repeat(120_000), ...later });
    expect((await contentOf(small)).text).toBe("later");
    expect((await contentOf(large)).text).toHaveLength(120_000);
    await ok(harness.post(`/v1/email/${small}/cancel`));
    expect(await reasonOf(small)).toBe("the message was canceled.");
    const secret = await harness.send({ to: [someone()], text: "s", sensitive: true, ...later });
    expect(await reasonOf(secret)).toBe("the message is sensitive.");
  });
});

describe("content that is not kept", () => {
  it("is that of a team whose number of days is 0, and the team's earlier content is deleted", async () => {
    const id = await harness.send({ to: [someone()], text: "before" });
    await kept(id);
    await ok(harness.patch("/v1/team", { content_days: 0 }));
    expect(await reasonOf(id)).toBe("the team's `content_days` is 0.");
    await expect.poll(() => keysOf(id)).toEqual([]);
    const after = await harness.send({ to: [someone()], text: "after" });
    expect(await reasonOf(after)).toBe("the team's `content_days` is 0.");
    await harness.history(after, 2);
    expect(await keysOf(after)).toEqual([]);
    await ok(harness.patch("/v1/team", { content_days: 3 }));
    expect(await reasonOf(id)).toMatch(/^it was sensitive, or the team kept no content/);
  });

  it("is that of a sensitive message, while it waits and after its delivery", async () => {
    const sent = await harness.send({ to: [someone()], text: "secret", sensitive: true });
    await harness.history(sent, 2);
    expect(await reasonOf(sent)).toMatch(/^it was sensitive, or the team kept no content/);
    expect(await keysOf(sent)).toEqual([]);
    harness.egress.up = false;
    const waiting = await harness.send({ to: [someone()], text: "secret", sensitive: true });
    const open = await harness.send({ to: [someone()], text: "open" });
    expect((await contentOf(open)).text).toBe("open");
    expect(await reasonOf(waiting)).toBe("the message is sensitive.");
  });
});
