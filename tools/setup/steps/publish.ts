// Publishes one set of records in the zone. Set-up overwrites other people's records only if the
// operator decides so, by `--dns-conflict` or by the answer to a question. Without a decision,
// set-up stops.
import type { Context } from "../setup-context.ts";
import type { NewRecord, Zone, ZoneRecord } from "../dns-api.ts";
import { SetupProblem } from "../setup-problem.ts";
import { planFor, type RecordSet, formatRecord } from "../record-sets.ts";

export type PublishOutcome = "done" | "already" | "changed" | "kept" | "would";

/** Publishes a set. In a dry run, returns `would` if the set is missing. */
export async function publish(
  context: Context,
  zone: Zone,
  set: RecordSet,
): Promise<PublishOutcome> {
  const { dns, kept, dryRun } = context;
  const plan = planFor(set, await dns.at(zone, set.name), kept.published);
  if (plan.kind === "present") return "already";
  if (plan.kind === "conflict" && set.yields) return "kept";
  if (plan.kind === "conflict" && (await decide(context, set, plan.standing)) === "keep")
    return "kept";
  if (dryRun) return "would";
  note(context, set);
  if (plan.kind === "create") {
    for (const record of plan.missing) {
      await dns.create(zone, record);
      context.made.push(`${set.name} ${formatRecord(record)}`);
    }
    return "done";
  }
  await overwrite(context, zone, set, plan.standing);
  return "changed";
}

export function publishedLine(set: RecordSet, published: PublishOutcome): string {
  const words = set.records.map(formatRecord).join(", ");
  const tail = published === "kept" ? " (the existing record was kept)" : "";
  return `${published.padEnd(8)} ${set.name}  ${words}${tail}`;
}

async function decide(
  context: Context,
  set: RecordSet,
  standing: readonly ZoneRecord[],
): Promise<"replace" | "keep"> {
  const { onConflict, terminal, dryRun } = context;
  if (onConflict !== "stop") return onConflict;
  const there = standing.map(formatRecord).join(", ");
  const wanted = set.records.map(formatRecord).join(", ");
  if (terminal.asks && !dryRun) {
    const said = await terminal.ask(
      `${set.name} has ${there}, where ${wanted} belongs. Replace it, keep it, or stop? [stop]:`,
    );
    if (said === "replace" || said === "keep") return said;
  }
  throw new SetupProblem(
    `${set.name} has ${there} already, where ${wanted} belongs; nothing was overwritten`,
    "remove that record, or run again with --dns-conflict=replace, or with --dns-conflict=keep if the " +
      "existing record has the same effect",
  );
}

/** Saves the set before the request, so that the next run recognises its records after a kill. */
function note(context: Context, set: RecordSet): void {
  const { published } = context.kept;
  for (const { type, name, content } of set.records) {
    if (!published.some((one) => one.type === type && one.name === name && one.content === content))
      published.push({ type, name, content });
  }
  context.file.save();
}

/**
 * Replaces existing records by the given records. Changes records of the same type in place, so
 * that the name lacks records only for a short time.
 */
async function overwrite(
  { dns }: Context,
  zone: Zone,
  set: RecordSet,
  standing: readonly ZoneRecord[],
): Promise<void> {
  const replaceable = standing.filter(({ type }) => type === set.type);
  for (const record of standing.filter(({ type }) => type !== set.type))
    await dns.remove(zone, record);
  const present = (await dns.at(zone, set.name)).filter(
    (record) => !standing.some(({ id }) => id === record.id),
  );
  const missing: NewRecord[] = set.records.filter(
    (wanted) =>
      !present.some(({ type, content }) => type === wanted.type && content === wanted.content),
  );
  for (const record of missing) {
    const old = replaceable.shift();
    await (old === undefined ? dns.create(zone, record) : dns.replace(zone, old.id, record));
  }
  for (const record of replaceable) await dns.remove(zone, record);
}
