// Tests the gateway's health report (docs/egress-protocol.md §Health) on its journal, its mail
// ports and the worker. A fault of the worker makes the gateway degraded, but not unavailable.
import { symlinkSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { GatewaySettings } from "../../smtp-gateway/src/config.ts";
import { startGateway } from "../../smtp-gateway/src/gateway.ts";
import { Health } from "../../smtp-gateway/src/gateway-health.ts";
import { type FakeWorker, TOKEN } from "./fake-worker.ts";
import { startWorker, submissionTo } from "./mail-harness.ts";
import { SmtpClient } from "../support/smtp-client.ts";
import { ownPort } from "../../tools/harness/loopback.ts";
import { cleanups, gateway, settings, temporaryDirectory } from "./gateway-harness.ts";

async function startGatewayWithWorker(overrides: Partial<GatewaySettings> = {}, token = TOKEN) {
  const worker = await startWorker();
  const { port } = await gateway(1, { intake: submissionTo(worker.origin), token, ...overrides });
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: answer.status, report: await answer.json() };
  };
  return { worker, ask };
}

const HEALTHY = { journal: true, mail_ports: true, worker: true };

describe("a gateway", () => {
  it("is ok when its journal, its ports and the worker are ok", async () => {
    const { ask, worker } = await startGatewayWithWorker();
    for (const path of ["/healthz", "/readyz"])
      expect(await ask(path)).toEqual({ status: 200, report: { status: "ok", checks: HEALTHY } });
    // The gateway asks the worker once for both reports. The request has no key and no client
    // address, so that it does not count as a failed authentication of an address.
    expect(worker.requests).toHaveLength(1);
    const nobody = { key: undefined, client: undefined };
    expect(worker.requests[0]).toMatchObject({ path: "/gateway/key", ...nobody });
  });

  it("without ports for incoming mail does not ask the worker", async () => {
    const { ask, worker } = await startGatewayWithWorker({ intake: null });
    const report = { status: "ok", checks: { journal: true } };
    expect(await ask("/readyz")).toEqual({ status: 200, report });
    expect(worker.requests).toEqual([]);
  });

  it.each<[string, string, NonNullable<FakeWorker["answers"][string]>[number]]>([
    ["does not answer", "does not answer", { status: 401, cut: "before" }],
    ["answers too late", "does not answer", { status: 401, after: 10_000 }],
    ["answers 500", "answers with an error", { status: 500 }],
  ])("is degraded, with /healthz still 200, when the worker %s", async (_name, what, answer) => {
    const { ask, worker } = await startGatewayWithWorker();
    worker.answers["key"] = [answer];
    const checks = { ...HEALTHY, worker: false };
    const report = { status: "degraded", reason: `the worker ${what}`, checks };
    expect(await ask("/healthz")).toEqual({ status: 200, report });
    expect(await ask("/readyz")).toEqual({ status: 503, report });
  });

  it("is degraded when the worker does not know its token", async () => {
    const { ask } = await startGatewayWithWorker({}, "another-token");
    const reason = "the worker does not know this gateway's token";
    expect(await ask("/readyz")).toMatchObject({ status: 503, report: { reason } });
  });

  it("is unavailable when its journal can't be written, even before any mail arrives", async () => {
    const stateDirectory = temporaryDirectory();
    const hour = Math.floor(Date.now() / 3_600_000);
    for (const at of [hour, hour + 1])
      symlinkSync("/dev/full", join(stateDirectory, `outcomes-${at}.ndjson`));
    const { ask } = await startGatewayWithWorker({ stateDirectory });
    const checks = { ...HEALTHY, journal: false };
    const report = { status: "unavailable", reason: "the journal can't be written", checks };
    for (const path of ["/healthz", "/readyz"])
      expect(await ask(path)).toEqual({ status: 503, report });
  });

  it("leaves no mail port open when its own port is taken", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    cleanups.push(() => new Promise((resolve) => taken.close(resolve)));
    const worker = await startWorker();
    const { port } = taken.address() as AddressInfo;
    const submissionPort = await ownPort();
    const intake = { ...submissionTo(worker.origin), submissionPorts: [submissionPort] };
    await expect(startGateway(settings(1, { intake, port }))).rejects.toThrow("EADDRINUSE");
    await expect(SmtpClient.connect(submissionPort)).rejects.toThrow("ECONNREFUSED");
  });
});

describe("a report", () => {
  const sources = { isDraining: () => false, journal: { probe: () => true }, mail: null };

  it("is unavailable when a mail port is closed", async () => {
    const checkWorker = () => Promise.resolve("agreed" as const);
    const mail = { isListening: () => false, checkWorker };
    const checks = { ...HEALTHY, mail_ports: false };
    const report = { status: "unavailable", reason: "a mail port is closed", checks };
    expect(await new Health({ ...sources, mail }).report()).toEqual(report);
  });

  it("is reused for a second, but not after a drain began", async () => {
    let probes = 0;
    let draining = false;
    const journal = { probe: () => (probes += 1) > 0 };
    const health = new Health({ ...sources, journal, isDraining: () => draining });
    await Promise.all([health.report(), health.report()]);
    expect(probes).toBe(1);
    draining = true;
    expect(await health.report()).toMatchObject({ status: "unavailable", reason: "draining" });
  });
});
