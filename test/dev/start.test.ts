// Tests that `npm start` says why it can't start, and ends. It checks the settings first; the build
// of the worker can fail later.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadSecrets } from "../../tools/dev/dev-secrets.ts";
import { claimPorts } from "../../tools/dev/dev-settings.ts";
import { selfSigned } from "../../tools/harness/smtp/self-signed.ts";
import { X509Certificate } from "node:crypto";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";
import { FreshCopy } from "./fresh-copy.ts";

const START = new URL("../../tools/dev/start.ts", import.meta.url).pathname;
const LOST_OUTPUT = new URL("../../tools/dev/processes/log-file.ts", import.meta.url).href;
const ANY_PORTS = {
  PORT: "0",
  SMTP_PORT: "0",
  INBOX_PORT: "0",
  MX_PORT: "0",
  DNS_PORT: "0",
  EGRESS_PORT: "0",
};

let state: string;
let occupant: Server;
let taken: number;

beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), "start-"));
  occupant = createServer();
  taken = await listenOnLoopback(occupant);
});

afterEach(() => {
  occupant.close();
  rmSync(state, { recursive: true });
});

async function start(
  env: Record<string, string>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [START], {
    env: { ...process.env, ...ANY_PORTS, POSTERN_STATE: state, ...env },
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said.stderr += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  return { code, ...said };
}

it.each(Object.keys(ANY_PORTS))("names a taken port and its setting: %s", async (name) => {
  if (name !== "INBOX_PORT") {
    await expect(claimPorts({ ...ANY_PORTS, [name]: String(taken) })).rejects.toThrow(
      `port ${taken} (${name}) is taken`,
    );
    return;
  }
  writeFileSync(join(state, "dev.json"), "{}");
  expect(await start({ INBOX_PORT: String(taken) })).toEqual({
    code: 1,
    stdout: "",
    stderr: `postern: port ${taken} (INBOX_PORT) is taken\n`,
  });
  expect(existsSync(join(state, "dev.json"))).toBe(false);
});

it("says at once which import of the worker is missing", async () => {
  const copy = new FreshCopy();
  const path = join(copy.path, "src/worker.ts");
  writeFileSync(path, `${readFileSync(path, "utf8")}\nimport "./absent.ts";\n`);
  const child = spawn(process.execPath, ["tools/dev/start.ts"], {
    cwd: copy.path,
    env: { ...copy.environment, ...ANY_PORTS },
  });
  let said = "";
  child.stderr.on("data", (data: Buffer) => (said += data.toString()));
  expect(await once(child, "close")).toEqual([1, null]);
  expect(said).toMatch(/postern: the worker does not build:\n[^]*"\.\/absent\.ts"/);
  copy.remove();
});

it.each(["a file on a full disk", "a pipe whose reader is gone"])(
  "keeps running when its output goes to %s",
  async (place) => {
    const isPipe = place.startsWith("a pipe");
    const full = openSync("/dev/full", "w");
    const lines =
      `for (let line = 0; line < 3; line += 1) { console.log("x"); console.error("x"); await ` +
      "new Promise((go) => setTimeout(go, 20)); }";
    const script =
      "import { dropLostOutput } from " +
      `${JSON.stringify(LOST_OUTPUT)};\ndropLostOutput();\nprocess.stdin.on("data", async () ` +
      `=> { ${lines} process.exit(7); });`;
    const output = isPipe ? "pipe" : full;
    const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
      stdio: ["pipe", output, output],
    });
    child.stdout?.destroy();
    child.stderr?.destroy();
    child.stdin?.write("go");
    expect(await once(child, "exit")).toEqual([7, null]);
    closeSync(full);
  },
);

it("refuses an invalid port, and one port given twice", async () => {
  await expect(claimPorts({ ...ANY_PORTS, MX_PORT: "smtp" })).rejects.toThrow(
    "MX_PORT is not a port: smtp",
  );
  await expect(claimPorts({ ...ANY_PORTS, MX_PORT: "65536" })).rejects.toThrow(
    "MX_PORT is not a port: 65536",
  );
  const { PORT: free } = await claimPorts(ANY_PORTS);
  await expect(
    claimPorts({ ...ANY_PORTS, MX_PORT: String(free), DNS_PORT: String(free) }),
  ).rejects.toThrow(`port ${free} is given to both `);
});

it("generates secrets once and keeps them; the environment's admin token takes precedence", () => {
  const made = loadSecrets(state, {});
  expect(Buffer.from(made.KEY_ENCRYPTION_KEY, "base64")).toHaveLength(32);
  expect(new Set(Object.values(made)).size).toBe(5);
  for (const secret of Object.values(made))
    expect(secret).toMatch(/^local[-/]only[-/][\w+/=]{33,}$/);
  const mine = "mine".repeat(8);
  expect(loadSecrets(state, { ADMIN_TOKEN: mine })).toEqual({ ...made, ADMIN_TOKEN: mine });
  expect(loadSecrets(state, {})).toEqual(made);
  for (const wrong of ["x".repeat(31), `not ${mine}`])
    expect(() => loadSecrets(state, { ADMIN_TOKEN: wrong })).toThrow("ADMIN_TOKEN");
});

it("makes a certificate that matches its own key", () => {
  const certificate = new X509Certificate(selfSigned(["mx.localhost", "localhost"]).cert);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.subject).toBe("CN=mx.localhost");
  expect(certificate.checkHost("localhost")).toBe("localhost");
  expect(certificate.validFromDate < new Date() && certificate.validToDate > new Date()).toBe(true);
});
