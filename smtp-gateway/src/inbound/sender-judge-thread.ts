// Checks the sender of one reply at a time: SPF, DKIM and DMARC (RFC 7208, RFC 6376, RFC 7489). It
// runs in a thread of its own, because mailauth takes 80 ms for a message of 5 MB, and a third of a
// second for a message of spaces. The thread that delivers mail would stand still for this time.
import { createReadStream } from "node:fs";
import { Resolver } from "node:dns/promises";
import { parentPort, workerData } from "node:worker_threads";
import { authenticate } from "mailauth";
import type { JudgedMessage } from "./sender-judge.ts";

const { dnsServers } = workerData as { readonly dnsServers: readonly string[] };
const resolver = new Resolver({ timeout: 500, tries: 1 });
if (dnsServers.length > 0) resolver.setServers(dnsServers);

async function judge({ descriptor, bytes, client, hello, reversePath }: JudgedMessage) {
  const message = createReadStream("", {
    fd: descriptor,
    start: 0,
    end: bytes - 1,
    autoClose: false,
  });
  const { spf, dkim, dmarc } = await authenticate(message, {
    ip: client,
    helo: hello,
    sender: reversePath,
    trustReceived: false,
    disableArc: true,
    disableBimi: true,
    resolver: (domain, type) => resolver.resolve(domain, type) as Promise<string[]>,
  });
  const signatures = (dkim ? dkim.results : []).map(({ status }) => status.result);
  return {
    spf: spf ? spf.status.result : null,
    dkim: signatures.find((result) => result === "pass") ?? signatures[0] ?? "none",
    dmarc: dmarc ? dmarc.status.result : null,
  };
}

parentPort?.on("message", (question: JudgedMessage) => {
  void judge(question).then(
    (verdicts) => tell({ verdicts }),
    (error: unknown) => tell({ error: String(error) }),
  );
});
tell({ ready: true });

function tell(answer: object): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(answer);
}
