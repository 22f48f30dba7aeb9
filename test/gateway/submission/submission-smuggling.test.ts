// SMTP smuggling: whatever looks like an end of the data to some server is no end to this one,
// however it is cut, and reaches the worker as it was written.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MailStand, mailStand } from "../mail-harness.ts";
import { SmtpClient } from "../../support/smtp-client.ts";

const ENDS = {
  "LF . LF": "\n.\n",
  "LF . CRLF": "\n.\r\n",
  "LF . CR": "\n.\r",
  "CR . CRLF": "\r.\r\n",
  "CR . LF": "\r.\n",
  "CR . CR": "\r.\r",
  "CRLF . LF": "\r\n.\n",
  "CRLF . CR": "\r\n.\r",
  "CRLF . NUL CRLF": "\r\n.\0\r\n",
  "CRLF NUL . CRLF": "\r\n\0.\r\n",
  "CR NUL LF . CRLF": "\r\0\n.\r\n",
  "CRLF . CR NUL LF": "\r\n.\r\0\n",
  "CRLF CR . CRLF": "\r\n\r.\r\n",
  "CRLF . CR CRLF": "\r\n.\r\r\n",
  "CRLF . SP CRLF": "\r\n. \r\n",
};
const INJECTED =
  "MAIL FROM:<admin@example.test>\r\nRCPT TO:<victim@example.net>\r\nDATA\r\nSubject: smuggled\r\n\r\n";

let stand: MailStand;
let client: SmtpClient;

beforeAll(async () => {
  stand = await mailStand();
  client = await SmtpClient.authenticated(stand.port);
});

afterAll(async () => {
  client.close();
  await stand.close();
});

/** The one message that `data` and the true end make. */
async function taken(data: string, drip: boolean): Promise<string> {
  stand.worker.asked.length = 0;
  await client.toData();
  if (drip) await client.drip(`${data}\r\n.\r\n`);
  else client.send(`${data}\r\n.\r\n`);
  expect(await client.reply()).toMatch(/^250 2\.0\.0 email_/);
  expect(await client.command("NOOP")).toMatch(/^250 2\.0\.0 OK/);
  expect(stand.worker.messages).toHaveLength(1);
  return stand.worker.messages[0]!.message;
}

describe.each([
  ["whole", false],
  ["byte by byte", true],
])("an end of data that is none, %s", (_, drip) => {
  it.each(Object.entries(ENDS))("%s", async (_name, end) => {
    const data = `Subject: x\r\n\r\nfirst${end}${INJECTED}second`;
    expect(await taken(data, drip)).toBe(`${data}\r\n`);
  });

  it.each(Object.entries(ENDS).filter(([, end]) => end !== "\r\n.\0\r\n"))(
    "%s, at the very beginning",
    async (_name, end) => {
      const data = `${end.slice(1)}${INJECTED}second`;
      if (end.slice(1).startsWith(".\r\n")) return;
      expect(await taken(data, drip)).toBe(`${data}\r\n`);
    },
  );

  it("dots that are stuffed lose one, wherever they stand", async () => {
    expect(await taken("..\r\n...\r\na\r\n..\r\n\r\n..b\r\n.c..\r\n..", drip)).toBe(
      ".\r\n..\r\na\r\n.\r\n\r\n.b\r\n.c..\r\n.\r\n",
    );
  });
});
