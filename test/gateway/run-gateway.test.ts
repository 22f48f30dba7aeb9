// Tests the gateway as the work of a process (smtp-gateway/src/run-gateway.ts), in a process
// that the test plays: signals, exit codes, the reason for a failed start, and texts that the log
// never has. test/programs/gateway tests it as a program.
import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { runGateway } from "../../smtp-gateway/src/run-gateway.ts";
import { SmtpClient } from "../support/smtp-client.ts";
import { EMAIL_ID } from "./fake-worker.ts";
import {
  captureLog,
  deliverOne,
  eventually,
  frame,
  holdFinalReply,
  post,
  startMx,
  temporaryDirectory,
  TOKEN,
} from "./gateway-harness.ts";
import { HOSTNAME, startWorker, writeCertificate } from "./mail-harness.ts";

type Environment = Readonly<Record<string, string>>;

/** Plays a process. `exitCode` resolves when the gateway ends it. */
class FakeProcess extends EventEmitter {
  readonly #exit = Promise.withResolvers<number>();
  readonly exitCode = this.#exit.promise;
  readonly env: Environment;
  readonly exit = (code: number): void => this.#exit.resolve(code);

  constructor(env: Environment) {
    super();
    this.env = {
      GATEWAY_TOKEN: TOKEN,
      EGRESS_PORT: "0",
      EGRESS_STATE: temporaryDirectory(),
      ...env,
    };
  }
}

interface Started {
  readonly process: FakeProcess;
  /** The log's entries. */
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  readonly port: number;
  readonly mailPort: number;
}

async function start(env: Environment): Promise<Started> {
  const entries = captureLog();
  const process = new FakeProcess(env);
  await runGateway(process);
  await eventually(() => entries.some(({ event }) => event === "started"));
  const { port, mail_ports: mailPort } = entries.find(({ event }) => event === "started")!;
  return { process, entries, port: Number(port), mailPort: Number(mailPort) };
}

/** Resolves when the gateway has stopped and all its lines are in the log. */
const stopped = ({ entries }: Pick<Started, "entries">): Promise<void> =>
  eventually(() => entries.at(-1)?.["event"] === "stopped");

const routeTo = (mx: { readonly port: number }): Environment => ({
  EGRESS_ROUTES: `*=127.0.0.1:${mx.port}`,
});

it.each(["SIGTERM", "SIGINT"])(
  "%s ends the gateway with exit code 0 when its transactions are finished",
  async (signal) => {
    const { script, release } = holdFinalReply();
    const mx = await startMx(script);
    const { process, entries, port } = await start(routeTo(mx));
    const answer = post(port, frame({ key: "k" }));
    await eventually(() => mx.messages.length === 1);
    process.emit(signal);
    await eventually(() => entries.some(({ event }) => event === "draining"));
    release("250 2.0.0 taken");
    expect((await answer).lines[0]).toMatchObject({ code: 250 });
    expect(await process.exitCode).toBe(0);
    await stopped({ entries });
  },
);

it("a second signal ends the gateway with exit code 1 while a transaction waits", async () => {
  const { script, release } = holdFinalReply();
  const mx = await startMx(script);
  const { process, entries, port } = await start(routeTo(mx));
  const answer = post(port, frame({ key: "k" }));
  await eventually(() => mx.messages.length === 1);
  process.emit("SIGTERM");
  process.emit("SIGTERM");
  expect(await process.exitCode).toBe(1);
  release("250 2.0.0 taken");
  await answer;
  await stopped({ entries });
});

it.each<[string, Environment, string]>([
  ["a token", { GATEWAY_TOKEN: "" }, "setting GATEWAY_TOKEN: is missing"],
  [
    "a certificate",
    {
      WORKER_URL: "http://127.0.0.1:9",
      SUBMISSION_PORTS: "0",
      SUBMISSION_CERTIFICATE: "/nowhere/cert.pem",
      SUBMISSION_KEY: "/nowhere/key.pem",
    },
    "setting SUBMISSION_CERTIFICATE: can't be read (ENOENT)",
  ],
])(
  "without %s, the gateway ends with exit code 1 and says why in one line",
  async (_what, env, error) => {
    const entries = captureLog();
    const process = new FakeProcess(env);
    await runGateway(process);
    expect(await process.exitCode).toBe(1);
    const reasons = entries.filter(({ event }) => event === "not_started");
    expect(reasons).toEqual([expect.objectContaining({ error })]);
  },
);

it("a removed setting is named in one line of the log, and the gateway starts", async () => {
  const { process, entries } = await start({ EGRESS_STALL_SECONDS: "60" });
  const lines = entries.filter(({ event }) => event === "setting_without_effect");
  const about = { setting: "EGRESS_STALL_SECONDS", why: "it was removed" };
  expect(lines).toEqual([expect.objectContaining(about)]);
  process.emit("SIGTERM");
  await stopped({ entries });
});

it("the log has no local part, no reply text and no body of a message that goes out", async () => {
  const mx = await startMx({ rcpt: "550 5.1.1 <secret-person@example.net> unknown" });
  const { process, entries, port } = await start(routeTo(mx));
  await deliverOne(port, { key: "k", rcptTo: "secret-person@example.net" });
  process.emit("SIGTERM");
  await process.exitCode;
  await stopped({ entries });
  expect(entries).toContainEqual(
    expect.objectContaining({ event: "outcome", key: "k", domain: "example.net" }),
  );
  expect(JSON.stringify(entries)).not.toMatch(/secret-person|unknown|hello|token-for|b\+token/);
});

it("SIGTERM lets a client finish its message, and the log has no address and no key of it", async () => {
  const worker = await startWorker();
  const files = writeCertificate(temporaryDirectory());
  const { process, entries, mailPort } = await start({
    GATEWAY_HOSTNAME: HOSTNAME,
    WORKER_URL: worker.origin,
    SUBMISSION_HOST: "127.0.0.1",
    SUBMISSION_PORTS: "0",
    SUBMISSION_CERTIFICATE: files.certificate,
    SUBMISSION_KEY: files.key,
  });
  const client = await SmtpClient.inData(mailPort);
  process.emit("SIGTERM");
  await eventually(() => entries.some(({ event }) => event === "draining"));
  expect(await client.command("Subject: secret-subject\r\n.")).toContain(`250 2.0.0 ${EMAIL_ID}`);
  client.close();
  expect(await process.exitCode).toBe(0);
  expect(worker.messages).toHaveLength(1);
  await stopped({ entries });
  const logged = JSON.stringify(entries);
  expect(logged).toContain(`"event":"submission"`);
  expect(logged).toContain(`"id":"${EMAIL_ID}"`);
  expect(logged).not.toMatch(/ps_good|example\.net|example\.test|secret-subject|token-for/);
});
