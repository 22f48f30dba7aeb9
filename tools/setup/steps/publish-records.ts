// Step: the service's own records exist in the zone (docs/dns.md §What set-up publishes once).
import type { Step } from "../setup-context.ts";
import type { StepOutcome } from "../step-outcome.ts";
import { type PublishOutcome, publish, publishedLine } from "./publish.ts";
import { CallProblem } from "../setup-problem.ts";
import { type RecordSet, serviceRecordSets } from "../record-sets.ts";

/** A resolver may remember for 30 minutes that a zone of Cloudflare lacks a record. */
const SEEN =
  "DNS shows new records within a minute or two. A resolver that asked before they existed " +
  "may take up to 30 minutes.";

export const records: Step = {
  name: "records",
  plan: ({ settings }) => {
    const sets = serviceRecordSets(settings);
    const detail = `publish those of ${sets.length} record sets that are missing`;
    return [detail, ...sets.map((set) => publishedLine(set, "would"))];
  },
  async run(context) {
    if (context.zone.id === "") throw new CallProblem("the step zone did not find the zone");
    const results: (readonly [RecordSet, PublishOutcome])[] = [];
    for (const set of serviceRecordSets(context.settings))
      results.push([set, await publish(context, context.zone, set)]);
    const outcome = summary(results.map(([, published]) => published));
    const lines = results.map(([set, published]) => publishedLine(set, published));
    return { ...outcome, notes: outcome.kind === "already" ? lines : [...lines, SEEN] };
  },
};

function summary(all: readonly PublishOutcome[]): StepOutcome {
  const of = (kind: PublishOutcome): number => all.filter((published) => published === kind).length;
  if (of("would") > 0)
    return { kind: "would", detail: `publish ${of("would")} of ${all.length} record sets` };
  if (of("changed") > 0)
    return { kind: "changed", detail: `${of("changed")} of ${all.length} record sets` };
  if (of("done") > 0)
    return { kind: "done", detail: `published ${of("done")} of ${all.length} record sets` };
  return { kind: "already", detail: `all ${all.length} record sets` };
}
