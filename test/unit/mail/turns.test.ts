// Work on what a customer wrote ends its turn of the isolate time and again, so that others are answered meanwhile.
import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import type { ApiRequest } from "../../../src/endpoint.ts";
import { newEmailId } from "../../../src/lib/ids.ts";
import { Findings } from "../../../src/mail/accept/findings.ts";
import { renderEmails } from "../../../src/mail/accept/render-emails.ts";
import { validateEmail } from "../../../src/mail/accept/validate.ts";
import { compose } from "../../../src/mail/compose/compose.ts";
import { composeRaw, prepareRaw } from "../../../src/mail/compose/raw.ts";
import { contentWith, messageWith, signingKey } from "./compose/fixtures.ts";

const MARK = "unsubscribe-6f1c2f7e-9d5a-4c1b-8f3e-0123456789ab";
const MEGABYTES = 4_000_000;

/** How often others could go on while the work was done. */
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

it("a submitted message of megabytes with a recipient's link takes several turns for each copy", async () => {
  const { dkim } = await signingKey();
  const lines = "<p>Hello =C3=A9</p>\r\n".repeat(MEGABYTES / 20);
  const header = "From: news@example.com\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n";
  const prepared = prepareRaw(new Uint8Array(Buffer.from(`${header}${MARK}\r\n${lines}`, "latin1")));
  const message = messageWith({ source: "raw", linkMark: MARK });
  const links = { unsubscribeUrl: "https://postern.example/u/token", tracking: null };
  const copies = async () => {
    for (let copy = 0; copy < 3; copy += 1) await composeRaw({ message, prepared, recipientIndex: 0, dkim, links });
  };
  expect(await turnsOf(copies)).toBeGreaterThanOrEqual(6);
});

it("copies of 900 tracked links take a turn for every 256 of them", async () => {
  const { dkim } = await signingKey();
  const html = Array.from({ length: 900 }, (_, index) => `<a href="https://shop.example/${index}">${index}</a>`).join("\n");
  const copy = { teamId: "team_6f1c2f7e-9d5a-4c1b-8f3e-0123456789ab", emailId: newEmailId(1_700_000_000_000), recipientIndex: 0 };
  const tracking = {
    opens: true,
    clicks: true,
    host: "links.shop.example",
    copy,
    signingKey: "k".repeat(40),
    publicUrl: "https://postern.example",
  };
  const copies = async () => {
    for (let index = 0; index < 4; index += 1)
      await compose({ message: messageWith(), content: contentWith({ html }), recipientIndex: 0, dkim, tracking });
  };
  expect(await turnsOf(copies)).toBeGreaterThanOrEqual(Math.floor((4 * 900) / 256) - 1);
});

it("a batch whose templates take all the steps that they may is rendered in several turns", async () => {
  const variables = { l: Array.from({ length: 9_000 }, () => 0) };
  const sends = Array.from({ length: 20 }, () => {
    const findings = new Findings();
    const input = { from: "a@shop.example", to: ["b@example.org"], subject: "S", text: "{{#each l}}{{@index}}{{/each}}", variables };
    const email = validateEmail(input, [], findings);
    if (!email) throw new Error(findings.refusal().body);
    return { email, findings };
  });
  const request = { env: {}, caller: { team: { id: "team_none" } }, note: () => undefined } as unknown as ApiRequest;
  expect(await turnsOf(() => renderEmails(request, sends))).toBeGreaterThanOrEqual(10);
});
