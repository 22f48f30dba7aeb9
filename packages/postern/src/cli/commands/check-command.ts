// `postern check`: finds what would go wrong with a mail, before it is sent. This machine judges a
// file without a key. The deployment judges its own templates, and Markdown.
import type { CheckedHtml } from "../../../../../src/lint/checked-mail.ts";
import {
  type ClientSupport,
  clientNames,
  STANDARD_CLIENTS,
} from "../../../../../src/lint/client-support.ts";
import { judgeMail } from "../../../../../src/lint/judge-mail.ts";
import {
  LINT_RULES,
  type LintRule,
  type MailProblem,
  sortProblems,
} from "../../../../../src/lint/mail-problem.ts";
import { wholeHtml } from "../../../../../src/lint/read-mail.ts";
import { webLinks } from "../../../../../src/lint/web-links.ts";
import { runToEnd } from "../../../../../src/lib/step-scheduler.ts";
import support from "../../../../../public/api/client-support.json" with { type: "json" };
import type { CommandInput, SingleCommand } from "../command.ts";
import { EXIT, type ExitCode, wrongUsage } from "../exit-codes.ts";
import { readText } from "../file-access.ts";
import { knownWords } from "../nearest-word.ts";
import type { ParsedArguments } from "../parsed-arguments.ts";
import { isTemplateFolder, localKind, readLocalMail, readLocalTemplate } from "./check-files.ts";
import { deadLinks } from "./dead-links.ts";
import { readTemplate, readVariables } from "./template-folder.ts";

interface Judgement {
  readonly problems: readonly MailProblem[];
  readonly not_checked: readonly string[];
}

/** The steps that only the deployment can judge. */
const ONLY_DEPLOYMENT = [
  "refused",
  "domain-records",
  "tracking",
  "rate",
  "quota",
  "labels",
  "suppression",
];
const SUPPORT = support as unknown as ClientSupport;

export const CHECK_COMMAND: SingleCommand = {
  name: "check",
  takes: "[<file or folder>]",
  summary: "Check a mail before it is sent; exits with 1 if it has an error",
  options: {
    template: { value: "<id or alias>", summary: "A published template of the deployment" },
    variables: { value: "<json or @file>", summary: "Values of the template's markers" },
    follow: { summary: "Also open each web link of the file" },
    strict: { summary: "Exit with 1 for a warning too" },
    off: { multiple: true, value: "<rule>", summary: "A rule that is not applied to the file" },
    clients: { multiple: true, value: "<client>", summary: "A mail program, such as outlook" },
  },
  examples: [
    "postern check mail.html",
    "postern check welcome.html --variables @welcome.json --follow",
    "postern check templates/welcome --strict",
    'postern check --template welcome --variables \'{"name":"Ada"}\'',
  ],
  run: async (input) => {
    const { given, terminal } = input;
    const { problems, ...rest } = await judgementOf(input);
    const sorted = sortProblems(problems);
    const name = given.positionals[0] ?? given.text("template") ?? "";
    terminal.show({ problems: sorted, ...rest }, () => problemLines(name, sorted));
    return exitCodeFor(sorted, given.has("strict"));
  },
};

async function judgementOf(input: CommandInput): Promise<Judgement> {
  const { given } = input;
  const [path] = given.positionals;
  const template = given.text("template");
  if ((path === undefined) === (template === undefined))
    throw wrongUsage("name one file, one folder or one --template");
  const values = variablesIn(given);
  if (template !== undefined)
    return checkByService(input, { template_id: template, variables: values ?? {} });
  const folder = path ?? "";
  if (!isTemplateFolder(folder)) return judgeFile(given, await readLocalMail(folder, values));
  if (localKind(folder) === "html") return judgeFile(given, readLocalTemplate(folder, values));
  const { content, kind, subject, fallbacks } = readTemplate(folder);
  const variables = values ?? readVariables(folder);
  return checkByService(input, {
    kind,
    subject: subject ?? "",
    markdown: content,
    fallbacks: fallbacks ?? {},
    variables,
  });
}

async function judgeFile(
  given: ParsedArguments,
  { mail, problems }: Awaited<ReturnType<typeof readLocalMail>>,
): Promise<Judgement> {
  const choices = {
    rulesOff: known(given.texts("off"), LINT_RULES, "--off") as readonly LintRule[],
    clients: clientsIn(given),
    support: SUPPORT,
  };
  const found = runToEnd(judgeMail(mail, choices));
  const dead = await followed(given, mail.html);
  return { problems: [...problems, ...found, ...dead], not_checked: ONLY_DEPLOYMENT };
}

async function checkByService(
  { client, given }: CommandInput,
  body: Record<string, unknown>,
): Promise<Judgement> {
  const { emails } = client();
  const { problems, not_checked: unchecked } = await emails.check(body);
  if (!given.has("follow")) return { problems, not_checked: unchecked };
  // A check's tracked links lead nowhere, so the links to follow come from an untracked copy.
  const untracked = { ...body, tracking: { opens: false, clicks: false } };
  const { copy } = await emails.check(untracked);
  const dead = await followed(given, copy?.html ? wholeHtml(copy.html) : null);
  return { problems: [...problems, ...dead], not_checked: unchecked };
}

async function followed(given: ParsedArguments, html: CheckedHtml | null): Promise<MailProblem[]> {
  return html && given.has("follow") ? deadLinks(runToEnd(webLinks(html))) : [];
}

/** Throws a CommandFailure if the values are not a JSON object. */
function variablesIn(given: ParsedArguments): Record<string, unknown> | undefined {
  const text = given.text("variables");
  if (text === undefined) return undefined;
  try {
    const values: unknown = JSON.parse(text.startsWith("@") ? readText(text.slice(1)) : text);
    if (typeof values === "object" && values !== null && !Array.isArray(values))
      return values as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw wrongUsage("--variables is not a JSON object");
}

function clientsIn(given: ParsedArguments): readonly string[] {
  const chosen = known(given.texts("clients"), [...clientNames(SUPPORT)], "--clients");
  return chosen.length > 0 ? chosen : STANDARD_CLIENTS;
}

/** Throws a CommandFailure for a word that is not known. */
function known(
  words: readonly string[],
  names: readonly string[],
  option: string,
): readonly string[] {
  const stray = words.find((word) => !names.includes(word));
  if (stray !== undefined)
    throw wrongUsage(`${option} does not know ${stray}${knownWords(stray, names)}`);
  return words;
}

function problemLines(name: string, problems: readonly MailProblem[]): readonly string[] {
  const lines = problems.flatMap(({ rule, severity, where, message, help }) => {
    const place = where.line === null ? "" : `:${where.line}:${where.column ?? 1}`;
    return [`${name}${place} ${severity} ${rule} (${where.field}) ${message}`, `  ${help}`];
  });
  const count = (severity: string, plural: string) => {
    const { length } = problems.filter((one) => one.severity === severity);
    return `${length} ${length === 1 ? severity : plural}`;
  };
  const sum = [count("error", "errors"), count("warning", "warnings"), count("note", "notes")];
  return [...lines, `${name}: ${sum.join(", ")}`];
}

function exitCodeFor(problems: readonly MailProblem[], isStrict: boolean): ExitCode {
  const isBad = problems.some(
    ({ severity }) => severity === "error" || (isStrict && severity === "warning"),
  );
  return isBad ? EXIT.failed : EXIT.done;
}
