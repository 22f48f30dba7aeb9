// Tests that work on a customer's content yields the isolate again and again, so that other
// requests are answered meanwhile.
import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { runInSteps } from "../../../src/lib/step-scheduler.ts";
import { FieldProblems } from "../../../src/mail/accept/field-problems.ts";
import { readHeaderSection } from "../../../src/mail/accept/smtp/header-section.ts";
import { renderEmails } from "../../../src/mail/accept/render/render-emails.ts";
import type { SendContext } from "../../../src/mail/accept/send-context.ts";
import { renderWithTemplate } from "../../../src/mail/accept/smtp/render-submission.ts";
import { validateSubmission } from "../../../src/mail/accept/smtp/validate-submission.ts";
import { validateEmail } from "../../../src/mail/accept/validate-email.ts";
import { compose } from "../../../src/mail/compose/compose.ts";
import { composeRaw, prepareRaw } from "../../../src/mail/compose/raw.ts";
import type { StoredAttachment } from "../../../src/mail/message.ts";
import { OWNED } from "./accept/smtp/submissions.ts";
import { composedRaw, contentWith, messageWith, signingKey, TRACKING } from "./compose/fixtures.ts";

const MARK = "unsubscribe-6f1c2f7e-9d5a-4c1b-8f3e-0123456789ab";
const MEGABYTES = 2_000_000;
const MEGABYTE = MEGABYTES / 2;

/** Counts how often the event loop could run other work while `work` ran. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const others = (): void => {
    if (isDone) return;
    turns += 1;
    setTimeout(others, 0);
  };
  setTimeout(others, 0);
  await work();
  isDone = true;
  return turns;
}

it("each copy of a large submitted message with a link takes several turns", async () => {
  const { dkim } = await signingKey();
  const lines = "<p>Hello =C3=A9</p>\r\n".repeat(MEGABYTES / 20);
  const header =
    "From: news@example.com\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: " +
    "quoted-printable\r\n\r\n";
  const prepared = await prepareRaw(
    new Uint8Array(Buffer.from(`${header}${MARK}\r\n${lines}`, "latin1")),
  );
  const message = messageWith({ source: "raw", linkPlaceholder: MARK });
  const links = { unsubscribeUrl: "https://postern.example/u/token", tracking: null };
  const copies = async () => {
    for (let copy = 0; copy < 3; copy += 1)
      await composeRaw({ message, prepared, recipientIndex: 0, dkim, links });
  };
  expect(await turnsOf(copies)).toBeGreaterThanOrEqual(3);
});

it.each<[string, string, string, number]>([
  ["quoted-printable", "quoted-printable", "<p>Hello =C3=A9</p>\r\n".repeat(MEGABYTE / 20), 5],
  [
    "base64",
    "base64",
    `${Buffer.from("<p>Hello \u00e9</p>\r\n".repeat(MEGABYTE / 27)).toString("base64")}\r\n`,
    3,
  ],
  [
    "one tag with a million attributes",
    "7bit",
    `<a ${`${"a ".repeat(450)}\r\n`.repeat(MEGABYTE / 902)}>\r\n`,
    5,
  ],
  ["brackets that open nothing", "7bit", `${"<".repeat(900)}\r\n`.repeat(MEGABYTE / 902), 3],
  ["tags without text", "7bit", `${"<p>".repeat(300)}\r\n`.repeat(MEGABYTE / 902), 5],
  ["lines that are too long", "8bit", `${"\u00e9".repeat(2_000)}\r\n`.repeat(MEGABYTE / 2_000), 5],
])(
  "one copy of one part of a megabyte takes a turn for every few hundred thousand octets: %s",
  async (_, encoding, lines, least) => {
    await signingKey();
    const header =
      "From: news@example.com\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: " +
      `${encoding}\r\n\r\n`;
    const links = { unsubscribeUrl: null, tracking: TRACKING };
    const work = () => composedRaw(header + lines, { links });
    expect(await turnsOf(work)).toBeGreaterThanOrEqual(least);
  },
);

it.each<[string, Partial<StoredAttachment>]>([
  ["a file", { contentType: "application/pdf", content: Buffer.alloc((MEGABYTES * 3) / 4, "ABC") }],
  [
    "a message",
    { contentType: "message/rfc822", content: Buffer.from("hello\n".repeat(MEGABYTES / 8)) },
  ],
])("one copy with an attachment of megabytes takes several turns: %s", async (_, change) => {
  const { dkim } = await signingKey();
  const attachment = {
    filename: "a",
    contentType: "text/plain",
    contentId: null,
    content: new Uint8Array(0),
    ...change,
  };
  const content = contentWith({ attachments: [attachment] });
  expect(
    await turnsOf(async () =>
      compose({ message: messageWith(), content, recipientIndex: 0, dkim }),
    ),
  ).toBeGreaterThanOrEqual(2);
});

it("a submitted message with variables in many parts is rendered in several turns", async () => {
  const part = `\r\n--b\r\n\r\n{{#each l}}{{@index}}{{/each}}`;
  const body = new Uint8Array(Buffer.from(`${part.repeat(40)}\r\n--b--\r\n`));
  const message =
    `From: Me <me@${OWNED}>\r\nContent-Type: multipart/mixed; ` +
    `boundary=b\r\nX-Service-Variables: {"l":[${"0,".repeat(9_000)}0]}\r\n\r\n`;
  const section = readHeaderSection(new Uint8Array(Buffer.from(message)));
  if (section.kind === "malformed") throw new Error(section.problem);
  const problems = new FieldProblems();
  const valid = validateSubmission(["ann@example.org"], section.fields, [], problems);
  if (!valid) throw new Error(problems.refusal().body);
  expect(
    await turnsOf(async () => runInSteps(renderWithTemplate(valid, null, body, problems))),
  ).toBeGreaterThanOrEqual(15);
  expect(problems.count).toBe(0);
});

it("copies of 900 tracked links take a turn for every 256 of them", async () => {
  const { dkim } = await signingKey();
  const links = Array.from(
    { length: 900 },
    (_, at) => `<a href="https://shop.example/${at}">x</a>`,
  );
  const html = links.join("\n");
  const copies = async () => {
    for (let index = 0; index < 4; index += 1)
      await compose({
        message: messageWith(),
        content: contentWith({ html }),
        recipientIndex: 0,
        dkim,
        tracking: TRACKING,
      });
  };
  expect(await turnsOf(copies)).toBeGreaterThanOrEqual(Math.floor((4 * 900) / 256) - 1);
});

it("a batch whose templates take all the steps that they may is rendered in several turns", async () => {
  const variables = { l: Array.from({ length: 9_000 }, () => 0) };
  const sends = Array.from({ length: 20 }, () => {
    const problems = new FieldProblems();
    const text = "{{#each l}}{{@index}}{{/each}}";
    const input = { from: "a@shop.example", to: ["b@example.org"], subject: "S", text, variables };
    const email = validateEmail(input, [], 0, problems);
    if (!email) throw new Error(problems.refusal().body);
    return { email, problems };
  });
  const sender = { team: { id: "team_none" } };
  const context = { env: {}, sender, note: () => undefined } as unknown as SendContext;
  expect(await turnsOf(() => renderEmails(context, sends))).toBeGreaterThanOrEqual(10);
});
