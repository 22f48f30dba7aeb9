// `postern suppressions`: the addresses that the team sends nothing to.
import { setTimeout as wait } from "node:timers/promises";
import type { ListSuppressionsQuery, Suppression } from "../../generated/types.ts";
import { requestRun, type Columns, listRun, table } from "../request-actions.ts";
import type { CommandGroup } from "../command.ts";
import { readText } from "../file-access.ts";
import { definedMembers, type ParsedArguments, type OptionTable } from "../parsed-arguments.ts";
import { day, figure } from "../shown-values.ts";

const POLL_MS = 500;

const TOPIC: OptionTable = {
  topic: { value: "<topic>", summary: "Only for this topic; * is every topic" },
};
const FILTERS: OptionTable = {
  ...TOPIC,
  reason: { value: "<reason>", summary: "Filter by reason" },
  contains: { value: "<text>", summary: "Only addresses that contain this text" },
};

const COLUMNS: Columns<Suppression> = {
  ADDRESS: ({ email }) => email,
  FOR: topicText,
  REASON: ({ reason }) => reason,
  SINCE: (one) => day(one.suppressed_at, "-"),
  UNTIL: (one) => day(one.expires_at, "-"),
  NOTE: ({ note }) => note ?? "",
};

export const SUPPRESSIONS_COMMAND: CommandGroup = {
  name: "suppressions",
  summary: "List, add and lift suppressions, and import and export them as CSV",
  examples: [
    "postern suppressions --contains @example.net",
    "postern suppressions add ada@example.net --note 'asked by phone'",
    "postern suppressions import old-provider.csv",
    "postern suppressions export > suppressions.csv",
  ],
  actions: [
    {
      name: "list",
      summary: "List suppressions",
      options: FILTERS,
      run: listRun<Suppression>(COLUMNS, (client, given, limit) =>
        client.suppressions.list({ ...filterOf(given), limit }),
      ),
    },
    {
      name: "show",
      takes: "<address>",
      summary: "Show the suppressions of an address",
      run: requestRun(
        async (client, given) => (await client.suppressions.getOfAddress(given.positional(0))).data,
        (found) => table(COLUMNS, found),
      ),
    },
    {
      name: "add",
      takes: "<address>",
      summary: "Send nothing more to an address",
      options: { ...TOPIC, note: { value: "<text>", summary: "Why" } },
      run: requestRun(
        (client, given) =>
          client.suppressions.create(
            definedMembers({
              email: given.positional(0),
              topic: given.text("topic"),
              note: given.text("note"),
            }),
          ),
        (added) => [`Suppressed: ${added.email} for ${topicText(added)}.`],
      ),
    },
    {
      name: "remove",
      takes: "<address>",
      summary: "Lift the suppressions of an address, or the one for a topic",
      options: TOPIC,
      asks: (given) =>
        `Lift the suppressions of ${given.positional(0)}, so that it gets mail again?`,
      run: requestRun(
        async ({ suppressions }, given) => {
          const [email, topic] = [given.positional(0), given.text("topic")];
          await (topic === undefined
            ? suppressions.deleteOfAddress(email)
            : suppressions.delete(email, topic));
          return { email, topic: topic ?? null };
        },
        ({ email }) => [`Lifted: ${email}.`],
      ),
    },
    {
      name: "import",
      takes: "<file.csv>",
      summary: "Import suppressions; exits with 1 if a row is wrong",
      run: requestRun(
        async ({ suppressions }, given) => {
          const { id } = await suppressions.import(readText(given.positional(0)));
          for (;;) {
            const state = await suppressions.getImport(id);
            if (state.status !== "running") return state;
            await wait(POLL_MS);
          }
        },
        ({ imported, skipped, failed, errors }) => [
          `${figure(imported)} imported, ${figure(skipped)} skipped, ${figure(failed)} wrong.`,
          ...errors.map(({ row, field, message }) => `row ${row}: ${field} ${message}`),
        ],
        ({ status, failed }) => status === "done" && failed === 0,
      ),
    },
    {
      name: "export",
      summary: "Print suppressions as CSV, even with --json: the API has only CSV",
      options: { ...FILTERS, plain: { summary: "Without marking formulas, for programs" } },
      run: async ({ given, terminal, client }) => {
        const format = given.has("plain") ? ("plain" as const) : undefined;
        const query = definedMembers({ ...filterOf(given), format });
        terminal.showFile(await client().suppressions.export(query));
      },
    },
  ],
};

function filterOf(given: ParsedArguments): ListSuppressionsQuery {
  return definedMembers({
    email_contains: given.text("contains"),
    topic: given.text("topic"),
    reason: given.text("reason") as ListSuppressionsQuery["reason"],
  });
}

function topicText({ topic }: Suppression): string {
  return topic === "*" ? "every topic" : topic;
}
