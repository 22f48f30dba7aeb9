// `postern templates`: copies a team's templates between the deployment and a folder in git, and
// previews a template without storing it.
import type { Postern } from "../../client/postern.ts";
import type { Template, TemplatePreview } from "../../generated/types.ts";
import { requestRun, deleteRun, firstOf, listRun } from "../request-actions.ts";
import type { CommandGroup } from "../command.ts";
import { writeText } from "../file-access.ts";
import { day } from "../shown-values.ts";
import { readTemplate, readVariables, writeTemplate } from "./template-folder.ts";
import { pushTemplates, remoteTemplate } from "./template-push.ts";

const FOLDER = "templates";

export const TEMPLATES_COMMAND: CommandGroup = {
  name: "templates",
  summary: "List and delete templates, keep them in a folder, and preview one",
  examples: [
    "postern templates pull",
    "postern templates preview templates/welcome --html /tmp/welcome.html",
    "postern templates push --publish",
  ],
  actions: [
    {
      name: "list",
      summary: "List the templates",
      run: listRun<Template>(
        {
          NAME: ({ name }) => name,
          ALIAS: ({ alias }) => alias ?? "-",
          KIND: ({ kind }) => kind,
          PUBLISHED: (one) => day(one.published_at, "never"),
          DRAFT: (one) => (one.has_draft ? "yes" : "no"),
          ID: ({ id }) => id,
        },
        (client, _, limit) => client.templates.list({ limit }),
      ),
    },
    {
      name: "pull",
      takes: "[<folder>]",
      summary: `Write each template's draft, or its published content, into ${FOLDER}`,
      run: requestRun(
        (client, given) => pull(client, given.positionals[0] ?? FOLDER),
        (written) => written.map(({ name, folder }) => `${folder}: ${name}`),
      ),
    },
    {
      name: "push",
      takes: "[<folder>]",
      summary: `Create the templates of ${FOLDER} that are new, and change those that differ`,
      options: {
        publish: { summary: "Publish the pushed templates" },
        "dry-run": { summary: "Show what would be pushed, and push nothing" },
      },
      run: requestRun(
        (client, given) =>
          pushTemplates(client, given.positionals[0] ?? FOLDER, {
            isPublished: given.has("publish"),
            isTried: given.has("dry-run"),
          }),
        (pushed) =>
          pushed.map(
            ({ name, change, published }) => `${name}: ${change}${published ? ", published" : ""}`,
          ),
      ),
    },
    {
      name: "preview",
      takes: "<folder of one>",
      summary: "Render a template with its variables.json; exits with 1 if it has problems",
      options: { html: { value: "<file>", summary: "Write the preview's HTML to this file" } },
      run: requestRun(
        async (client, given) => {
          const { kind, content, name: _, alias: __, ...rest } = readTemplate(given.positional(0));
          const variables = readVariables(given.positional(0));
          const shown = await client.templates.preview({
            ...rest,
            kind,
            [kind]: content,
            variables,
          });
          const file = given.text("html");
          if (file !== undefined && shown.html !== null) writeText(file, shown.html);
          return shown;
        },
        previewLines,
        ({ problems }) => problems.length === 0,
      ),
    },
    {
      name: "delete",
      takes: "<id or alias>",
      summary: "Delete a template and its draft: sends that name it are refused",
      asks: (given) => `Delete the template ${given.positional(0)} and its draft?`,
      run: deleteRun((client, id) => client.templates.delete(id)),
    },
  ],
};

async function pull(client: Postern, root: string) {
  const written: { readonly name: string; readonly folder: string }[] = [];
  for (const template of await firstOf(client.templates.list({ limit: 100 }), Infinity)) {
    const content = await remoteTemplate(client, template);
    written.push({ name: template.name, folder: writeTemplate(root, content) });
  }
  return written;
}

function previewLines({ subject, text, missing, problems }: TemplatePreview): readonly string[] {
  return [
    `Subject: ${subject ?? "-"}`,
    "",
    text ?? "",
    ...missing.map((name) => `missing in variables.json: ${name}`),
    ...problems.map(
      ({ field, line, column, message }) =>
        `${field}${line === null ? "" : `:${line}:${column ?? 1}`} ${message}`,
    ),
  ];
}
