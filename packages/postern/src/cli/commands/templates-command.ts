// `postern templates`: moves a team's templates between the deployment and a folder in git, and
// renders one without storing it.
import type { Postern } from "../../client/postern.ts";
import type { Template } from "../../generated/types.ts";
import { type Actions, runAction } from "../chosen-action.ts";
import type { CliCommand, CommandInput } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { writeText } from "../file-access.ts";
import type { OptionTable } from "../given.ts";
import { tableLines } from "../command-output.ts";
import {
  readTemplate,
  readVariables,
  type LocalTemplate,
  templateFolders,
  writeTemplate,
} from "./template-folder.ts";

const FOLDER = "templates";
const ACTIONS: Actions = { list, pull, push, preview };

const OPTIONS: OptionTable = {
  publish: { type: "boolean", summary: "Publish what was pushed" },
  "dry-run": { type: "boolean", summary: "Only say what would be pushed" },
  html: { type: "string", value: "<file>", summary: "Write the preview's HTML there" },
};

type Change = "created" | "changed" | "unchanged";

export const TEMPLATES_COMMAND: CliCommand = {
  name: "templates",
  summary: "List templates, keep them in a folder, and preview one",
  usage: [
    "templates",
    `templates pull [<folder>]      (else ${FOLDER})`,
    "templates push [<folder>] [--publish] [--dry-run]",
    "templates preview <folder of one template> [--html <file>]",
  ],
  actions: Object.keys(ACTIONS),
  options: OPTIONS,
  examples: [
    "postern templates pull",
    "postern templates preview templates/welcome --html /tmp/welcome.html",
    "postern templates push --publish",
  ],
  run: (input) => runAction(ACTIONS, input),
};

async function list({ terminal, client }: CommandInput): Promise<void> {
  const templates = await allTemplates(client());
  terminal.show(templates, () =>
    tableLines(
      ["NAME", "KIND", "PUBLISHED", "DRAFT", "ID"],
      templates.map(({ name, kind, published_at: published, has_draft: hasDraft, id }) => [
        name,
        kind,
        published?.slice(0, 10) ?? "never",
        hasDraft ? "yes" : "no",
        id,
      ]),
    ),
  );
}

/** Writes each template's draft, or else its published content. */
async function pull({ given, terminal, client }: CommandInput): Promise<void> {
  const postern = client();
  const root = given.words[1] ?? FOLDER;
  const written: { readonly name: string; readonly folder: string }[] = [];
  for (const template of await allTemplates(postern)) {
    const content = await contentOf(postern, template);
    written.push({ name: template.name, folder: writeTemplate(root, content) });
  }
  terminal.show(written, () => written.map(({ name, folder }) => `${folder}: ${name}`));
}

async function push({ given, terminal, client }: CommandInput): Promise<void> {
  const folders = templateFolders(given.words[1] ?? FOLDER);
  const postern = client();
  const known = new Map((await allTemplates(postern)).map((one) => [one.name, one]));
  const pushed: { name: string; change: Change; published: boolean }[] = [];
  for (const folder of folders) {
    const local = readTemplate(folder);
    const template = known.get(local.name);
    const change = template ? await changeOf(postern, template, local) : "created";
    const published =
      given.has("publish") && (change !== "unchanged" || template?.has_draft === true);
    pushed.push({ name: local.name, change, published });
    if (given.has("dry-run")) continue;
    const id = await store(postern, template?.id, local, change);
    if (published) await postern.templates.publish(id);
  }
  terminal.show(pushed, () =>
    pushed.map(
      ({ name, change, published }) => `${name}: ${change}${published ? ", published" : ""}`,
    ),
  );
}

/** Exits with 1 if the content could not be saved or sent. */
async function preview({ given, terminal, client }: CommandInput): Promise<ExitCode> {
  const folder = given.needWord(1, "the template's folder");
  const { kind, subject, content } = readTemplate(folder);
  const shown = await client().templates.preview({
    kind,
    subject,
    [kind]: content,
    variables: readVariables(folder),
  });
  const file = given.text("html");
  if (file !== undefined && shown.html !== null) writeText(file, shown.html);
  terminal.show(shown, () => [
    `Subject: ${shown.subject ?? "-"}`,
    "",
    shown.text ?? "",
    ...shown.missing.map((name) => `missing in variables.json: ${name}`),
    ...shown.problems.map(
      ({ field, line, column, message }) =>
        `${field}${line === null ? "" : `:${line}:${column ?? 1}`} ${message}`,
    ),
  ]);
  return shown.problems.length === 0 ? EXIT.done : EXIT.failed;
}

async function allTemplates(postern: Postern): Promise<readonly Template[]> {
  const templates: Template[] = [];
  for await (const template of postern.templates.list({ limit: 100 })) templates.push(template);
  return templates;
}

async function contentOf(postern: Postern, listed: Template): Promise<LocalTemplate> {
  const { id, name, kind } = listed;
  const { subject, html, markdown } = listed.has_draft
    ? await postern.templates.getDraft(id)
    : await postern.templates.get(id);
  return { name, kind, subject, content: (kind === "html" ? html : markdown) ?? "" };
}

async function changeOf(
  postern: Postern,
  template: Template,
  local: LocalTemplate,
): Promise<Change> {
  const remote = await contentOf(postern, template);
  const isSame = remote.subject === local.subject && remote.content === local.content;
  return isSame && remote.kind === local.kind ? "unchanged" : "changed";
}

/** Returns the template's id. */
async function store(
  postern: Postern,
  id: string | undefined,
  { name, subject, kind, content }: LocalTemplate,
  change: Change,
): Promise<string> {
  if (id === undefined)
    return (await postern.templates.create({ name, subject, kind, [kind]: content })).id;
  if (change === "changed") await postern.templates.updateDraft(id, { subject, [kind]: content });
  return id;
}
