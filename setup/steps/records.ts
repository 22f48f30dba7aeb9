// Step: the service's own records stand in the zone (docs/dns.md "What set-up publishes once").
import type { Step } from "../context.ts";
import type { Outcome } from "../outcome.ts";
import { type Published, publish, publishedLine } from "../publish.ts";
import { type RecordSet, serviceRecordSets } from "../record-sets.ts";

export const records: Step = {
  name: "records",
  async run(context) {
    const results: (readonly [RecordSet, Published])[] = [];
    for (const set of serviceRecordSets(context.settings)) results.push([set, await publish(context, context.zone, set)]);
    return {
      ...summary(results.map(([, published]) => published)),
      notes: results.map(([set, published]) => publishedLine(set, published)),
    };
  },
};

function summary(all: readonly Published[]): Outcome {
  const of = (kind: Published): number => all.filter((published) => published === kind).length;
  if (of("would") > 0) return { kind: "would", detail: `publish ${of("would")} of ${all.length} record sets` };
  if (of("changed") > 0) return { kind: "changed", detail: `${of("changed")} of ${all.length} record sets` };
  if (of("done") > 0) return { kind: "done", detail: `published ${of("done")} of ${all.length} record sets` };
  return { kind: "already", detail: `all ${all.length} record sets` };
}
