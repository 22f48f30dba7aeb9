// Tests programs that send by SMTP: those of examples/smtp, a mailer with the settings of
// docs/recipes.md, and a program that writes beyond ASCII. If this machine has the program's
// language, the program sends, and the mail must arrive. Only the ports, the recipient and the
// certificate's path differ from the example. commands.test.ts runs the commands of curl and swaks.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { afterAll, describe, expect, it } from "vitest";
import { hasTool } from "../support/outside-tools.ts";
import { sharedStack } from "./shared-stack.ts";
import { runProgram } from "./run-program.ts";
import { ofFile } from "../support/before-tests.ts";

const ROOT = join(import.meta.dirname, "../..");
const PRINTED = "someone@example.net";
/** The address to which only this file's tests send. */
const TO = "mail-program@example.net";
const folder = mkdtempSync(join(tmpdir(), "smtp-clients-"));

const stack = ofFile(sharedStack);

afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the text of an example, with the ports and files of this stack. */
function example(name: string): string {
  const { port, ca } = stack.dev.smtp;
  return readFileSync(join(ROOT, "examples/smtp", name), "utf8")
    .replaceAll("2587", String(port))
    .replaceAll(".postern/smtp/cert.pem", ca)
    .replaceAll(PRINTED, TO);
}

/** Runs a program with the text on its standard input. Returns its output if it succeeds. */
async function run(command: string, args: readonly string[], input: string): Promise<string> {
  const env = { ...process.env, API_KEY: stack.dev.api_key, KEY: stack.dev.api_key };
  const { code, printed } = await runProgram(command, args, { cwd: ROOT, env }, input);
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${printed}`);
  return printed;
}

/** Checks that a message sent by `send` arrives exactly once. */
async function arrives(send: () => Promise<unknown>): Promise<string> {
  const before = new Set((await stack.inbox(`&to=${TO}`)).map(({ id }) => id));
  await send();
  const added = async () => (await stack.inbox(`&to=${TO}`)).filter(({ id }) => !before.has(id));
  await expect.poll(added).toHaveLength(1);
  return (await stack.raw((await added())[0]?.id ?? "")).toString();
}

describe("the example of sending by SMTP", () => {
  it("with nodemailer", async () => {
    const raw = await arrives(async () =>
      expect(await run(process.execPath, ["--input-type=module"], example("send.mjs"))).toMatch(
        /^250 2\.0\.0 email_/,
      ),
    );
    expect(raw).toMatch(
      /^From: hello@example\.test\r\nTo: mail-program@example\.net\r\nSubject: Hello\r\n/m,
    );
  });

  it.runIf(hasTool("python"))("in Python", async () => {
    expect(await arrives(() => run("python3", ["-"], example("send.py")))).toMatch(
      /^Subject: Hello\r\n[^]*It works\./m,
    );
  });

  it.runIf(hasTool("go"))("in Go", async () => {
    const program = join(folder, "send.go");
    writeFileSync(program, example("send.go"));
    const trust = `SSL_CERT_FILE=${stack.dev.smtp.ca}`;
    expect(await arrives(() => run("env", [trust, "go", "run", program], ""))).toMatch(
      /^Subject: Hello\r\n[^]*It works\./m,
    );
  });

  it.runIf(hasTool("ruby"))("in Ruby", async () => {
    const raw = await arrives(async () =>
      expect(await run("ruby", ["-"], example("send.rb"))).toMatch(/^250 2\.0\.0 email_/),
    );
    expect(raw).toMatch(/^Subject: Hello\r\n[^]*It works\./m);
  });

  it.runIf(hasTool("msmtp"))("with msmtp", async () => {
    const settings = join(folder, "msmtprc");
    writeFileSync(settings, example("msmtprc"), { mode: 0o600 });
    const mail = "Subject: Hello\n\nIt works.\n";
    expect(await arrives(() => run("msmtp", ["-C", settings, TO], mail))).toMatch(
      /^From: hello@example\.test\r\n[^]*^Subject: Hello\r\n[^]*It works\./m,
    );
  });
});

describe("the settings that docs/recipes.md prints", () => {
  it("for Ghost work in nodemailer, which Ghost uses", async () => {
    const page = readFileSync(join(ROOT, "docs/recipes.md"), "utf8");
    const [, block = ""] = /^## Ghost\n[^]*?```json\n([^]*?)```/m.exec(page) ?? [];
    const { port, ca } = stack.dev.smtp;
    const { mail } = JSON.parse(block.replace("ps_…", stack.dev.api_key)) as {
      mail: { transport: string; options: object };
    };
    expect(mail.transport).toBe("SMTP");
    // Replaces the page's host, port and certificate, which are those of a deployment, by this
    // stack's.
    const changed = { host: "127.0.0.1", port, tls: { ca: readFileSync(ca) } };
    const message = { from: "hello@example.test", to: TO, subject: "Ghost", text: "It works." };
    await arrives(() => createTransport({ ...mail.options, ...changed }).sendMail(message));
  });
});

const PYTHON_BEYOND_ASCII = `
import os, smtplib, ssl, sys
from email.message import EmailMessage

message = EmailMessage()
message["From"], message["To"], message["Subject"] = "Zoë <hello@example.test>", "李雷 <用户@example.net>", "Grüße"
message.set_content("Zeile mit ü")
with smtplib.SMTP("127.0.0.1", int(sys.argv[1])) as client:
    client.starttls(context=ssl.create_default_context(cafile=sys.argv[2]))
    client.login("service", os.environ["API_KEY"])
    client.send_message(message)
`;

describe("an address beyond ASCII", () => {
  it.runIf(hasTool("python"))(
    "gets mail from Python's smtplib, with the header in UTF-8",
    async () => {
      const { port, ca } = stack.dev.smtp;
      await run("python3", ["-", String(port), ca], PYTHON_BEYOND_ASCII);
      const found = () => stack.inbox(`&to=${encodeURIComponent("用户@example.net")}`);
      await expect.poll(found).toHaveLength(1);
      const [message] = await found();
      expect(message).toMatchObject({
        rcpt_to: ["用户@example.net"],
        mail_from: expect.stringMatching(/^[ -~]+$/) as string,
      });
      const raw = (await stack.raw(message?.id ?? "")).toString();
      expect(raw).toMatch(
        /^From: Zoë <hello@example\.test>\r\nTo: 李雷 <用户@example\.net>\r\nSubject: Grüße\r\n/m,
      );
    },
  );
});
