// Tests templates and variables in messages by SMTP (contract.md §Option headers): they give the
// same text, events and refusals as over HTTP.
import { describe, expect, it } from "vitest";
import { makeTeam, ok, refusalOf } from "../../support/api.ts";
import { submit } from "../../support/fakes/fake-gateway.ts";
import { create, publish } from "../../support/templates.ts";
import { headersOf, someone, Harness } from "../../support/harness.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const CONTENT = {
  subject: "For {{name}}",
  html: "<p>Dear {{name}},</p>{{#each items}}<b>{{this}}</b>{{/each}}",
};
const VARIABLES = { name: "Zoë & Co", items: ["Tea <green>", "Milk"] };
const ATTACHMENT = "JVBERi0xLjcK";

const harness = ofEachTest(Harness.make);

async function publishTemplate(content: Record<string, unknown> = CONTENT): Promise<string> {
  const { id } = await create(harness, content);
  await ok(publish(harness, id));
  return id;
}

const variablesHeader = (variables: unknown) =>
  `X-Service-Variables: ${JSON.stringify(variables)}\r\n`;

function messageWithAttachment(to: string, header: string): string {
  const part =
    "Content-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment; " +
    "filename=a.pdf\r\nContent-Transfer-Encoding: base64";
  return (
    `${header}From: The Shop <hello@${harness.domain}>\r\nTo: ${to}\r\nMIME-Version: ` +
    "1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nmy own " +
    `words\r\n--b\r\n${part}\r\n\r\n${ATTACHMENT}\r\n--b--\r\n`
  );
}

const smtpRefusal = (header: string) =>
  refusalOf(
    submit(harness.key, [someone()], `${header}From: hello@${harness.domain}\r\n\r\nx\r\n`),
  );

const httpRefusal = (body: object) =>
  refusalOf(
    harness.post("/v1/email", {
      from: `hello@${harness.domain}`,
      to: [someone()],
      subject: "x",
      ...body,
    }),
  );

describe("a template", () => {
  it("gives the same text, attachment and events by SMTP as over HTTP", async () => {
    const reply_to = "help@example.com";
    const template = await publishTemplate({ ...CONTENT, reply_to, alias: "receipt" });
    const [overHttp, bySmtp] = [someone(), someone()];
    const labels = { tags: ["a"], topic: "news", campaign: "spring" };
    const attachments = [{ filename: "a.pdf", content: ATTACHMENT }];
    const body = {
      to: [overHttp],
      subject: undefined,
      template_id: template,
      variables: VARIABLES,
      headers: { "X-For": "{{name}}" },
      attachments,
    };
    const http = await harness.history(await harness.send({ ...body, ...labels }), 2);
    const header = `X-Service-Template-Id: receipt\r\n${variablesHeader(VARIABLES)}X-For: {{name}}\r\n`;
    const options = "X-Service-Tags: a\r\nX-Service-Topic: news\r\nX-Service-Campaign: spring\r\n";
    const smtpMessage = messageWithAttachment(bySmtp, options + header);
    const smtp = await harness.history(await harness.submit([bySmtp], smtpMessage), 2);

    const [left, right] = [await harness.copyTo(overHttp), await harness.copyTo(bySmtp)];
    expect(right.html?.trim()).toBe("<p>Dear Zoë &amp; Co,</p><b>Tea &lt;green&gt;</b><b>Milk</b>");
    for (const member of ["subject", "html", "text"] as const)
      expect(right[member]?.trim()).toBe(left[member]?.trim());
    expect(headersOf(right, "X-For")).toEqual(headersOf(left, "X-For"));
    for (const copy of [left, right])
      expect(copy.replyTo).toEqual([{ name: "", address: "help@example.com" }]);
    expect(
      right.attachments.map(({ filename, mimeType, content }) => [filename, mimeType, content]),
    ).toEqual(
      left.attachments.map(({ filename, mimeType, content }) => [filename, mimeType, content]),
    );
    expect(right.raw).not.toMatch(/my own words|x-service/i);

    const shared = (events: typeof http) =>
      events.map(({ type, subject, template_id: id, tags, topic, campaign, from }) => ({
        type,
        subject,
        id,
        tags,
        topic,
        campaign,
        from,
      }));
    expect(shared(smtp)).toEqual(shared(http));
    expect(smtp[0]).toMatchObject({ subject: "For Zoë & Co", template_id: template });
    expect(await harness.events(`template_id=${template}`)).toHaveLength(4);
  });

  it("that the team can't send is refused under template_id, as over HTTP", async () => {
    const { id: unpublished } = await create(harness, CONTENT);
    const other = await makeTeam();
    const { id: foreign } = await create(other, CONTENT);
    await publish(other, foreign);
    const hint =
      ": it was never published. Publish its draft first: POST " +
      `/v1/templates/${unpublished}/publish`;
    for (const id of [unpublished, foreign, "template_x", `template_${crypto.randomUUID()}`]) {
      const refused = await smtpRefusal(`X-Service-Template-Id: ${id}\r\n`);
      expect(refused).toEqual([
        400,
        {
          template_id: [
            `is not a published template of this team${id === unpublished ? hint : ""}`,
          ],
        },
      ]);
      expect(await httpRefusal({ template_id: id })).toEqual(refused);
    }
  });
});
