// Tests submission with mail clients that are programs, where they are installed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { EMAIL_ID, GOOD_KEY } from "../../gateway/fake-worker.ts";
import { startIntake } from "../../gateway/mail-harness.ts";
import { hasTool } from "../../support/outside-tools.ts";

async function run(
  tool: string,
  args: readonly string[],
  input = "",
): Promise<{ code: number; output: string }> {
  const child = spawn(tool, args);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number];
  return { code, output };
}

it.runIf(hasTool("swaks"))(
  "a message from swaks arrives, and each of its mistakes gets its own reply",
  async () => {
    const { port, worker } = await startIntake();
    const to = [
      "--server",
      `127.0.0.1:${port}`,
      "--from",
      "a@example.test",
      "--to",
      "b@example.net",
    ];
    const auth = ["--auth", "LOGIN", "--auth-user", "service", "--auth-password"];
    const sent = await run("swaks", [
      ...to,
      "-tls",
      ...auth,
      GOOD_KEY,
      "--header",
      "Subject: from swaks",
    ]);
    expect(sent.output).toContain(`250 2.0.0 ${EMAIL_ID}`);
    expect(sent.code).toBe(0);
    expect(worker.messages.at(0)!.message).toContain("Subject: from swaks\r\n");
    expect((await run("swaks", [...to, "-tls", ...auth, "ps_wrong"])).output).toContain(
      "535 5.7.8",
    );
    expect((await run("swaks", to)).output).toContain(
      "530 5.7.0 Must issue a STARTTLS command first",
    );
    expect((await run("swaks", [...to, ...auth, GOOD_KEY])).code).not.toBe(0);
    expect(worker.messages).toHaveLength(1);
  },
);
