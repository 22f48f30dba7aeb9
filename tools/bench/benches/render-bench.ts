// `bench render`: the template engine in workerd against handlebars in Node. Both render 20 KB of
// HTML with 50 variables, in alternating rounds.
import type { BenchOptions } from "../bench-options.ts";
import { join } from "node:path";
import { bundleParts } from "../../harness/worker-bundle.ts";
import { startNode } from "../../harness/child.ts";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import { TEMPLATE, VARIABLES } from "../engine/template.ts";
import { inChild, inWorkerd, EngineWork } from "../engine/work.ts";
import { milliseconds, type BenchResult, type BenchRow } from "../harness/bench-result.ts";
import { startWorker } from "../../harness/workerd.ts";

const COMPILE_GOAL_MS = 1;
const RENDER_GOAL_MS = 0.1;

interface Pair {
  readonly ours: EngineWork;
  readonly theirs: EngineWork;
}

export async function render(
  { rounds, seconds }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const root = await temporaryFolder(cleanup);
  const module = import.meta.resolve("../engine/render-worker.ts");
  const bundle = await bundleParts(
    cleanup,
    root,
    ["lib/template/compile.ts", "lib/template/render.ts"],
    module,
  );
  const worker = await startWorker(cleanup, bundle, { state: join(root, "state"), vars: {} });
  const handlebars = startNode(cleanup, import.meta.resolve("../peer/handlebars.ts"));
  await handlebars.says(/^ready$/);
  const pairOf = (task: string): Pair => ({
    ours: new EngineWork(inWorkerd(worker), task),
    theirs: new EngineWork(inChild(handlebars), task),
  });
  const compile = pairOf("compile");
  const rendering = pairOf("render");
  for (const { ours, theirs } of [compile, rendering]) {
    const outputs = [await ours.warmUp(seconds / 3), await theirs.warmUp(seconds / 3)];
    if (outputs[0] !== outputs[1])
      throw new Error(`the two render different texts:\n${outputs.join("\n")}`);
  }
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`round ${round} of ${rounds}`);
    for (const { ours, theirs } of [compile, rendering]) {
      await ours.round(seconds);
      await theirs.round(seconds);
    }
  }
  const variables = Object.keys(VARIABLES).length;
  return {
    notes: [
      `${TEMPLATE.length} bytes of HTML, ${variables} variables; processor time, medians of ` +
        `${rounds} alternating rounds of ${seconds} s; both render the same text`,
      "ours: the engine's bundle in workerd, as deployed; handlebars: in Node, because " +
        "workerd does not run code made from strings",
      "parse and compile: a template that was not seen before; handlebars compiles at its " +
        "first rendering, so its figure includes one rendering",
    ],
    rows: [
      rowOf("parse and compile", compile, COMPILE_GOAL_MS),
      rowOf("render, warm", rendering, RENDER_GOAL_MS),
    ],
  };
}

function rowOf(work: string, { ours, theirs }: Pair, goalMs: number): BenchRow {
  const [mine, others] = [ours.median("cpuMs"), theirs.median("cpuMs")];
  return {
    work,
    measured: `${fine(mine)} (${fine(ours.median("wallMs"))} of wall clock)`,
    against: `handlebars: ${fine(others)}`,
    ratio: mine / others,
    goal: `≤ ${goalMs} ms`,
    met: mine <= goalMs,
  };
}

function fine(value: number): string {
  return value < 0.1 ? `${value.toFixed(4)} ms` : milliseconds(value);
}
