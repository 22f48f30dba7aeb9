// Tests how a send becomes a stored message, member by member.
import { expect, it } from "vitest";
import { decodeContent } from "../../../../src/mail/stored-content.ts";
import { prepareEmail } from "../../../../src/mail/accept/prepare-message.ts";
import { FieldProblems } from "../../../../src/mail/accept/field-problems.ts";
import { validateEmail } from "../../../../src/mail/accept/validate-email.ts";

const ACCEPTANCE = {
  id: "email_01890a5d-ac96-774b-bcce-b302099a8057",
  teamId: "team_1",
  acceptedAt: 1_700_000_000_000,
  domain: { id: "domain_1", name: "example.com" },
};

function prepared(body: Record<string, unknown>) {
  const email = validateEmail(
    { from: "shop@example.com", to: ["ann@example.org"], subject: "Hello", text: "Hi", ...body },
    ["alerts"],
    0,
    new FieldProblems(),
  );
  if (!email?.from) throw new Error("the body of the test is not valid");
  const members = { from: email.from, replyTo: email.replyTo ?? [], subject: email.subject ?? "" };
  const rendered = { ...email, ...members, templateId: null, linkPlaceholder: undefined };
  const { candidate, content } = prepareEmail(rendered, ACCEPTANCE);
  const { meta, ...rest } = candidate;
  const message = JSON.parse(meta) as unknown;
  return { candidate: rest, message, content: decodeContent(content) };
}

it("prepareEmail() stores the smallest send with every member of a Message", () => {
  const labels = { tags: [], topic: null, campaign: null };
  expect(prepared({})).toEqual({
    candidate: {
      id: ACCEPTANCE.id,
      recipientCount: 1,
      stream: "",
      domain: "example.com",
      ...labels,
    },
    message: {
      id: ACCEPTANCE.id,
      teamId: "team_1",
      acceptedAt: 1_700_000_000_000,
      source: "http",
      from: { email: "shop@example.com", name: null },
      fromDomain: "example.com",
      domainId: "domain_1",
      to: [{ email: "ann@example.org", name: null }],
      cc: [],
      replyTo: [],
      recipients: ["ann@example.org"],
      subject: "Hello",
      messageId: "<01890a5d-ac96-774b-bcce-b302099a8057@example.com>",
      headers: [],
      ...labels,
      templateId: null,
      ipPool: null,
    },
    content: { text: "Hi", html: null, attachments: [] },
  });
});

it("prepareEmail() stores a bcc recipient only in the envelope, and each address once", () => {
  const { candidate, message } = prepared({
    cc: ["Bob <bob@example.org>"],
    bcc: ["Secret <eve@example.org>", "BOB@example.org"],
  });
  expect(candidate).toMatchObject({ recipientCount: 3 });
  expect(message).toMatchObject({
    to: [{ email: "ann@example.org", name: null }],
    cc: [{ email: "bob@example.org", name: "Bob" }],
    recipients: ["ann@example.org", "bob@example.org", "eve@example.org"],
  });
  expect(JSON.stringify(message)).not.toContain("Secret");
});

it("prepareEmail() stores a high priority on message and candidate, and nothing of a normal one", () => {
  const high = { priority: "high" };
  expect(prepared(high)).toMatchObject({ candidate: high, message: high });
  const normal = prepared({ priority: "normal" });
  expect(normal.candidate).not.toHaveProperty("priority", "high");
  expect(normal.message).not.toHaveProperty("priority", "high");
});

it("prepareEmail() stores labels on the message and on the candidate", () => {
  const labels = { tags: ["a", "b"], topic: "news", campaign: "spring" };
  const more = { ip_pool: "alerts", headers: { "X-A": "1" }, reply_to: "help@example.com" };
  const replyTo = [{ email: "help@example.com", name: null }];
  const message = { ...labels, ipPool: "alerts", headers: [["X-A", "1"]], replyTo };
  expect(prepared({ ...labels, ...more })).toMatchObject({ candidate: labels, message });
});
