// Step: the queues exist. A deployment of the worker would create them too, but later. A missing
// right to queues must end set-up before it makes anything else.
import type { Step } from "../setup-context.ts";
import { jurisdictionArguments } from "./jurisdiction-arguments.ts";
import { complaintOf, printed } from "../run-wrangler.ts";
import { SetupProblem } from "../setup-problem.ts";

const NEEDS = "Account · Queues · Edit";
const MOST_PAGES = 100;

export const queues: Step = {
  name: "queues",
  plan: ({ config }) => [`create the missing ones of these queues: ${config.queues.join(", ")}`],
  async run({ wrangler, config, settings, dryRun }) {
    const present = await listExisting(
      (page) => wrangler.must(["queues", "list", "--page", String(page)], NEEDS),
      config.queues,
    );
    const missing = config.queues.filter((queue) => !present.has(queue));
    if (missing.length === 0)
      return { kind: "already", detail: `all ${config.queues.length} of ${config.worker}` };
    if (dryRun) return { kind: "would", detail: `create ${missing.join(", ")}` };
    for (const queue of missing) {
      const place = jurisdictionArguments(settings);
      const ran = await wrangler.run(["queues", "create", queue, ...place]);
      // If a queue exists already, an interrupted run or another person has created it since the
      // list was read.
      if (ran.code === 0 || printed(ran, /already (?:exists|taken)|code: 11009/i)) continue;
      throw new SetupProblem(
        `the queue ${queue}: ${complaintOf(ran)}`,
        `wrangler's login needs ${NEEDS}, and the account a plan with Queues; then run this again`,
      );
    }
    return { kind: "done", detail: `created ${missing.join(", ")}` };
  },
};

/** Returns the wanted queues that exist. Wrangler prints a table for people, page by page. */
async function listExisting(
  list: (page: number) => Promise<string>,
  wanted: readonly string[],
): Promise<Set<string>> {
  const found = new Set<string>();
  let before = "";
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const text = await list(page);
    const cells = new Set(text.split(/[│|\s]+/));
    const names = wanted.filter((queue) => cells.has(queue));
    for (const name of names) found.add(name);
    if (found.size === wanted.length || !/[0-9a-f]{32}/.test(text) || text === before) break;
    before = text;
  }
  return found;
}
