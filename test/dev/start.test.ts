// Tests the settings of `npm start` (tools/dev): ports, secrets, and how it recognizes a failed
// build.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { worker } from "../../tools/dev/children.ts";
import { loadSecrets } from "../../tools/dev/dev-secrets.ts";
import { claimPorts } from "../../tools/dev/dev-settings.ts";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";

const MAIL_PORTS = { SMTP_PORT: "0", INBOX_PORT: "0", MX_PORT: "0", EGRESS_PORT: "0" };
const ANY_PORTS = { PORT: "0", DNS_PORT: "0", ...MAIL_PORTS };

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

it.each(Object.keys(ANY_PORTS))("npm start names a taken port and setting: %s", async (name) => {
  await expect(claimPorts({ ...ANY_PORTS, [name]: String(taken) })).rejects.toThrow(
    `port ${taken} (${name}) is taken`,
  );
});

it("npm start gives every part a port of its own if each may have any port", async () => {
  const ports = await claimPorts(ANY_PORTS);
  expect(new Set(Object.values(ports)).size).toBe(Object.keys(ANY_PORTS).length);
});

it("npm start recognises by a line of wrangler's output that the worker does not build", async () => {
  const spec = worker(state, await claimPorts(ANY_PORTS), loadSecrets(state, {}), {}, null);
  const failures = ["\u2718 [ERROR] Build failed with 1 error:", "Build failed with 12 errors"];
  const lines = [...failures, "Ready"];
  expect(lines.map((line) => spec.isUnbuilt?.(line))).toEqual([true, true, false]);
});

it("npm start refuses an invalid port, and one port given twice", async () => {
  for (const MX_PORT of ["smtp", "65536"]) {
    const claimed = claimPorts({ ...ANY_PORTS, MX_PORT });
    await expect(claimed).rejects.toThrow(`MX_PORT is not a port: ${MX_PORT}`);
  }
  const { PORT: one } = await claimPorts(ANY_PORTS);
  await expect(
    claimPorts({ ...ANY_PORTS, MX_PORT: String(one), DNS_PORT: String(one) }),
  ).rejects.toThrow(`port ${one} is given to both `);
});

it("npm start generates secrets once and keeps them; the environment's admin token takes precedence", () => {
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
