// The settings that docs/smtp.md prints for mail programs, as they are printed: each program that
// is on this machine sends with them, and the mail arrives. Only the ports, the recipient, the
// certificate's place and the file that msmtp reads differ from what is printed. commands.test.ts
// runs the page's commands of curl and swaks.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patience } from "../../tools/harness/slowness.ts";
import { sharedStack } from "./shared-stack.ts";
import type { StackClient } from "./stack-client.ts";

const ROOT = join(import.meta.dirname, "../..");
const GUIDE = readFileSync(join(ROOT, "docs/smtp.md"), "utf8");
const PRINTED = "someone@example.net";
/** No other test writes to this address. */
const TO = "mail-program@example.net";
const folder = mkdtempSync(join(tmpdir(), "smtp-clients-"));

let stack: StackClient;

beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => rmSync(folder, { recursive: true }));

const isThere = (program: string, how = "--version") =>
  spawnSync(program, [how]).error === undefined;

/** Returns the code block of docs/smtp.md below the line that begins with the program's name. */
function exampleFor(program: string): string {
  const block = new RegExp(`^${program}[^\\n]*\\n\\n\`\`\`\\w*\\n([^]*?)\`\`\``, "m").exec(
    GUIDE,
  )?.[1];
  if (block === undefined) throw new Error(`docs/smtp.md prints nothing for ${program}`);
  return block;
}

function here(text: string): string {
  const { port, ca } = stack.dev.smtp;
  return text
    .replaceAll("2587", String(port))
    .replaceAll(".postern/smtp/cert.pem", ca)
    .replaceAll(PRINTED, TO);
}

/** Runs a program with the text on its standard input; its output, when it ended well. */
async function run(command: string, args: readonly string[], input: string): Promise<string> {
  const env = { ...process.env, API_KEY: stack.dev.api_key, KEY: stack.dev.api_key };
  const child = spawn(command, args, { cwd: ROOT, env, timeout: patience(60_000) });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => (output += data.toString()));
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`);
  return output;
}

/** Checks that a message sent by `send` arrives exactly once. */
async function arrives(send: () => Promise<unknown>): Promise<string> {
  const before = new Set((await stack.inbox(`&to=${TO}`)).map(({ id }) => id));
  await send();
  const added = async () => (await stack.inbox(`&to=${TO}`)).filter(({ id }) => !before.has(id));
  await expect.poll(added).toHaveLength(1);
  return (await stack.raw((await added())[0]?.id ?? "")).toString();
}

describe("the settings that docs/smtp.md prints", () => {
  it("for nodemailer work", async () => {
    const raw = await arrives(async () =>
      expect(
        await run(process.execPath, ["--input-type=module"], here(exampleFor("nodemailer"))),
      ).toMatch(/^250 2\.0\.0 email_/),
    );
    expect(raw).toMatch(
      /^From: hello@example\.test\r\nTo: mail-program@example\.net\r\nSubject: Hello\r\n/m,
    );
  });

  it.runIf(isThere("python3"))("for Python work", async () => {
    expect(await arrives(() => run("python3", ["-"], here(exampleFor("Python"))))).toMatch(
      /^Subject: Hello\r\n[^]*It works\./m,
    );
  });

  it.runIf(isThere("go", "version"))("for Go work, with the line that runs them", async () => {
    const program = join(folder, "send.go");
    writeFileSync(program, here(exampleFor("Go")));
    const [, line = ""] = /^Go \(`([^`]*)`\)/m.exec(GUIDE) ?? [];
    const command = here(line).replace("send.go", program);
    expect(await arrives(() => run("sh", ["-c", command], ""))).toMatch(
      /^Subject: Hello\r\n[^]*It works\./m,
    );
  });

  it.runIf(isThere("ruby"))("for Ruby work", async () => {
    const raw = await arrives(async () =>
      expect(await run("ruby", ["-"], here(exampleFor("Ruby")))).toMatch(/^250 2\.0\.0 email_/),
    );
    expect(raw).toMatch(/^Subject: Hello\r\n[^]*It works\./m);
  });

  it.runIf(isThere("msmtp"))("for msmtp work, with the line that sends", async () => {
    const settings = join(folder, "msmtprc");
    writeFileSync(settings, here(exampleFor("msmtp")), { mode: 0o600 });
    const [, line = ""] = /^msmtp[^\n]*`(printf [^`]*)`/m.exec(GUIDE) ?? [];
    const command = line.replace("| msmtp ", `| msmtp -C ${settings} `);
    expect(await arrives(() => run("sh", ["-c", command], ""))).toMatch(
      /^From: hello@example\.test\r\n[^]*^Subject: Hello\r\n[^]*It works\./m,
    );
  });
});

describe("the settings that docs/recipes.md prints", () => {
  it("for Ghost work in nodemailer, which Ghost sends with", async () => {
    const page = readFileSync(join(ROOT, "docs/recipes.md"), "utf8");
    const [, block = ""] = /^## Ghost\n[^]*?```json\n([^]*?)```/m.exec(page) ?? [];
    const { port, ca } = stack.dev.smtp;
    const { mail } = JSON.parse(block.replace("ps_…", stack.dev.api_key)) as {
      mail: { transport: string; options: object };
    };
    expect(mail.transport).toBe("SMTP");
    // The host, its port and the certificate are this stack's; the page has those of a deployment.
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
  it.runIf(isThere("python3"))(
    "goes through from Python's smtplib to the inbox, header as UTF-8",
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
