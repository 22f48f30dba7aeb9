// `bench compose`: the composer in workerd, with its signature, against nodemailer with DKIM. Both
// compose one 2 KB message of text and HTML, in alternating rounds.
import { createPrivateKey } from "node:crypto";
import { join } from "node:path";
import { bundleParts } from "../../harness/worker-bundle.ts";
import { startNode } from "../../harness/child.ts";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import { inChild, inWorkerd, EngineWork } from "../engine/work.ts";
import type { BenchOptions } from "../bench-options.ts";
import { MESSAGE } from "../../harness/sample-message.ts";
import { milliseconds, type BenchResult } from "../harness/bench-result.ts";
import { newDkimKey } from "../../harness/tenant.ts";
import { startWorker } from "../../harness/workerd.ts";

const GOAL_MS = 1.2;

export async function compose(
  { rounds, seconds }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const root = await temporaryFolder(cleanup);
  const dkimKey = newDkimKey();
  const pkcs8 = createPrivateKey(dkimKey)
    .export({ type: "pkcs8", format: "der" })
    .toString("base64");
  const bundle = await bundleParts(
    cleanup,
    root,
    ["mail/compose/compose.ts"],
    import.meta.resolve("../engine/compose-worker.ts"),
  );
  const worker = await startWorker(cleanup, bundle, {
    state: join(root, "state"),
    vars: { DKIM_KEY: pkcs8 },
  });
  const nodemailer = startNode(cleanup, import.meta.resolve("../peer/nodemailer-composer.ts"), {
    env: { BENCH_DKIM_KEY: dkimKey },
  });
  await nodemailer.says(/^ready$/);
  const ours = new EngineWork(inWorkerd(worker), "compose");
  const signature = new EngineWork(inWorkerd(worker), "sign");
  const theirs = new EngineWork(inChild(nodemailer), "compose");
  for (const work of [ours, theirs]) requireSigned(await work.warmUp(seconds / 3));
  await signature.warmUp(seconds / 3);
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`round ${round} of ${rounds}`);
    for (const work of [ours, theirs, signature]) await work.round(seconds);
  }
  const [mine, others, signing] = [ours, theirs, signature].map((work) => work.median("cpuMs")) as [
    number,
    number,
    number,
  ];
  return {
    notes: [
      `${MESSAGE.text.length + MESSAGE.html.length} bytes of text and HTML, RSA-2048; ` +
        `processor time, medians of ${rounds} alternating rounds of ${seconds} s`,
      "ours: the composer's bundle in workerd composes one copy after the other, with a key " +
        "that was imported before; nodemailer: sendMail() to its stream transport, in Node",
    ],
    rows: [
      {
        work: "compose and sign",
        measured: `${milliseconds(mine)} (${milliseconds(ours.median("wallMs"))} of wall clock)`,
        against: `nodemailer, DKIM: ${milliseconds(others)}`,
        ratio: mine / others,
        goal: `≤ ${GOAL_MS} ms`,
        met: mine <= GOAL_MS,
      },
      {
        work: "the RSA signature alone",
        measured: milliseconds(signing),
        against: "",
        ratio: null,
        goal: null,
        met: null,
      },
    ],
  };
}

function requireSigned(message: string): void {
  if (!/^DKIM-Signature: /m.test(message) || !message.includes(MESSAGE.subject))
    throw new Error(`the message is not signed:\n${message}`);
}
