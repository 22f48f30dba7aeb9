// Tests against SMTP smuggling. Some servers take other sequences for the end of the data. The
// gateway does not, however they are split, and they reach the worker unchanged.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MailHarness, startMailHarness } from "../mail-harness.ts";
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
  "MAIL FROM:<admin@example.test>\r\nRCPT TO:<victim@example.net>\r\nDATA\r\nSubject: " +
  "smuggled\r\n\r\n";

let harness: MailHarness;
let client: SmtpClient;

beforeAll(async () => {
  harness = await startMailHarness();
  client = await SmtpClient.authenticated(harness.port);
});

afterAll(async () => {
  client.close();
  await harness.close();
});

/**
 * Sends `data` and then the real end of the message. Returns the only message that the worker gets.
 */
async function submitData(data: string, drip: boolean): Promise<string> {
  harness.worker.requests.length = 0;
  await client.toData();
  if (drip) await client.drip(`${data}\r\n.\r\n`);
  else client.send(`${data}\r\n.\r\n`);
  expect(await client.reply()).toMatch(/^250 2\.0\.0 email_/);
  expect(await client.command("NOOP")).toMatch(/^250 2\.0\.0 OK/);
  expect(harness.worker.messages).toHaveLength(1);
  return harness.worker.messages[0]!.message;
}

describe.each([
  ["whole", false],
  ["byte by byte", true],
])("a false end of data, sent %s", (_, drip) => {
  it.each(Object.entries(ENDS))("does not end the message: %s", async (_name, end) => {
    const data = `Subject: x\r\n\r\nfirst${end}${INJECTED}second`;
    expect(await submitData(data, drip)).toBe(`${data}\r\n`);
  });

  it.each(Object.entries(ENDS).filter(([, end]) => end !== "\r\n.\0\r\n"))(
    "does not end the message as its first bytes: %s",
    async (_name, end) => {
      const data = `${end.slice(1)}${INJECTED}second`;
      if (end.slice(1).startsWith(".\r\n")) return;
      expect(await submitData(data, drip)).toBe(`${data}\r\n`);
    },
  );

  it("keeps every dot but the stuffed ones", async () => {
    expect(await submitData("..\r\n...\r\na\r\n..\r\n\r\n..b\r\n.c..\r\n..", drip)).toBe(
      ".\r\n..\r\na\r\n.\r\n\r\n.b\r\n.c..\r\n.\r\n",
    );
  });
});
