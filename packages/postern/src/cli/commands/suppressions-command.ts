// `postern suppressions`: the addresses that nothing is sent to.
import { setTimeout as wait } from "node:timers/promises";
import type { ListSuppressionsQuery, Suppression } from "../../generated/types.ts";
import { type Actions, runAction } from "../chosen-action.ts";
import type { CliCommand, CommandInput } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { readText } from "../file-access.ts";
import { definedMembers, type Given, type OptionTable } from "../given.ts";
import { tableLines } from "../command-output.ts";

const POLL_MS = 500;
const ACTIONS: Actions = { list, show, add, remove, import: importFile, export: exportFile };

const OPTIONS: OptionTable = {
  topic: { type: "string", value: "<topic>", summary: "Only for this topic; * is every topic" },
  reason: { type: "string", value: "<reason>", summary: "Only for this reason, when listing" },
  contains: { type: "string", value: "<text>", summary: "Only addresses with this text" },
  note: { type: "string", value: "<text>", summary: "Why, when adding" },
  plain: { type: "boolean", summary: "Export without marking formulas, for programs" },
};

export const SUPPRESSIONS_COMMAND: CliCommand = {
  name: "suppressions",
  summary: "List, add and lift suppressions, and move them as CSV",
  usage: [
    "suppressions [--contains <text>] [--topic <topic>] [--reason <reason>]",
    "suppressions show <address>",
    "suppressions add <address> [--topic <topic>] [--note <text>]",
    "suppressions remove <address> [--topic <topic>]",
    "suppressions import <file.csv>",
    "suppressions export [--plain] > <file.csv>",
  ],
  actions: Object.keys(ACTIONS),
  options: OPTIONS,
  examples: [
    "postern suppressions --contains @example.net",
    "postern suppressions add ada@example.net --note 'asked by phone'",
    "postern suppressions import old-provider.csv",
  ],
  run: (input) => runAction(ACTIONS, input),
};

async function list({ given, terminal, client }: CommandInput): Promise<void> {
  const found: Suppression[] = [];
  const query = { ...filterOf(given), limit: 100 };
  for await (const one of client().suppressions.list(query)) found.push(one);
  terminal.show(found, () => suppressionTable(found));
}

async function show({ given, terminal, client }: CommandInput): Promise<void> {
  const { data } = await client().suppressions.getOfAddress(given.needWord(1, "the address"));
  terminal.show(data, () => suppressionTable(data));
}

async function add({ given, terminal, client }: CommandInput): Promise<void> {
  const added = await client().suppressions.create(
    definedMembers({
      email: given.needWord(1, "the address"),
      topic: given.text("topic"),
      note: given.text("note"),
    }),
  );
  terminal.show(added, () => [`Suppressed: ${added.email} for ${topicWords(added)}.`]);
}

async function remove({ given, terminal, client }: CommandInput): Promise<void> {
  const address = given.needWord(1, "the address");
  const topic = given.text("topic");
  const { suppressions } = client();
  await (topic === undefined
    ? suppressions.deleteOfAddress(address)
    : suppressions.delete(address, topic));
  terminal.show({ email: address, topic: topic ?? null }, () => [`Lifted: ${address}.`]);
}

/** Waits for the import's end. Exits with 1 if a row was wrong. */
async function importFile({ given, terminal, client }: CommandInput): Promise<ExitCode> {
  const csv = readText(given.needWord(1, "the file"));
  const { suppressions } = client();
  const { id } = await suppressions.import(csv);
  let state = await suppressions.getImport(id);
  while (state.status === "running") {
    await wait(POLL_MS);
    state = await suppressions.getImport(id);
  }
  const { status, imported, skipped, failed, errors } = state;
  terminal.show(state, () => [
    `${imported} imported, ${skipped} skipped, ${failed} wrong.`,
    ...errors.map(({ row, field, message }) => `row ${row}: ${field} ${message}`),
  ]);
  return status === "done" && failed === 0 ? EXIT.done : EXIT.failed;
}

/** Prints CSV, with `--json` too: the API has no other form. */
async function exportFile({ given, terminal, client }: CommandInput): Promise<void> {
  const format = given.has("plain") ? ("plain" as const) : undefined;
  const query = definedMembers({ ...filterOf(given), format });
  terminal.showFile(await client().suppressions.export(query));
}

function filterOf(given: Given): ListSuppressionsQuery {
  return definedMembers({
    email_contains: given.text("contains"),
    topic: given.text("topic"),
    reason: given.text("reason") as ListSuppressionsQuery["reason"],
  });
}

function suppressionTable(found: readonly Suppression[]): readonly string[] {
  return tableLines(
    ["ADDRESS", "FOR", "REASON", "SINCE", "UNTIL", "NOTE"],
    found.map((one) => [
      one.email,
      topicWords(one),
      one.reason,
      one.suppressed_at.slice(0, 10),
      one.expires_at?.slice(0, 10) ?? "-",
      one.note ?? "",
    ]),
  );
}

function topicWords({ topic }: Suppression): string {
  return topic === "*" ? "every topic" : topic;
}
