// Executes the first sentence of docs/glossary.md for the words that are easily used in a second
// sense: an exported name, or a file's name, may have such a word only where it has its one sense.
import { basename } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { ownFiles, type SourceFile } from "./source-files.ts";

interface WordRule {
  /** One word, as a part of a name in lower case. */
  readonly word: RegExp;
  /** The paths, or the names, in which the word has its one sense. None: no name has the word. */
  readonly paths?: RegExp;
  readonly names?: RegExp;
}

/** The comment of a rule says which word is right elsewhere. */
const RULES: readonly WordRule[] = [
  // A page is a part of a list, or what a browser shows. A packed row of events is a chunk.
  {
    word: /^pages?$/,
    paths:
      /^(?:console\/|packages\/|tools\/dev\/inbox\/|src\/mail\/feedback\/|src\/api\/(?!mcp\/)|src\/resources\/templates\/markdown\/)/,
    names:
      /^(?:ListPage|listPage|EventPage|PulledPage|ScheduledPage|ReplayPage|readReplayPage|replay-page)$/,
  },
  // Webhooks have outboxes; the queue of deliveries has claims.
  {
    word: /^outbox(?:es)?$/,
    paths: /^(?:src\/resources\/webhooks\/|src\/rpc\/outbox-calls\.ts|tools\/bench\/webhooks\/)/,
  },
  // A draft is a template's. A message that is ready to be stored is prepared.
  {
    word: /^drafts?$/,
    paths:
      /^(?:src\/resources\/templates\/|src\/api\/resend\/template|src\/db\/core-schema\.ts|console\/src\/pages\/templates\/)/,
  },
  // A room is free space. A part of the OpenAPI document is a section.
  {
    word: /^rooms?$/,
    paths: /^(?:src\/(?:ledger|mail|lib|resources\/shards)|smtp-gateway\/src)\//,
  },
  // Events in no chunk yet are recent events.
  { word: /^tails?$/ },
  // A contract is a document: an object has calls.
  { word: /^contracts?$/ },
  // A suppression has a note. A response warns; a set-up instructs.
  { word: /^notes$/, paths: /^tools\/release\// },
  // An object gets dependencies or settings.
  { word: /^hooks$/, paths: /^tools\/bench\// },
  // A job is released again; a path is supported.
  { word: /^offer(?:s|ed|ing)?$/ },
  // A factor divides waits.
  { word: /^speedup$/ },
];

it("a word of the glossary has one sense in exported names and names of files", () => {
  const product = ownFiles().filter(({ path }) => !path.startsWith("test/"));
  const wrong = product.flatMap((file) =>
    [...exportedNames(file), basename(file.path).replace(/\.tsx?$/, "")]
      .filter((name) => RULES.some((rule) => isMisused(rule, name, file.path)))
      .map((name) => `${file.path}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

it.each([
  ["src/ledger/log/tail.ts", "readTail"],
  ["src/resources/events/store.ts", "PageRow"],
  ["src/mail/accept/draft.ts", "draftEmail"],
  ["src/ledger/open/open-messages.ts", "OUTBOX_ROWS"],
  ["src/rpc/ledger-contract.ts", "ledger-contract"],
])("a word in a second sense is found: %s %s", (path, name) => {
  expect(RULES.some((rule) => isMisused(rule, name, path))).toBe(true);
});

function isMisused({ word, paths, names }: WordRule, name: string, path: string): boolean {
  return (
    wordsIn(name).some((one) => word.test(one)) &&
    paths?.test(path) !== true &&
    names?.test(name) !== true
  );
}

/** Splits a name in any of the house's spellings: wordsIn, WordsIn, WORDS_IN, words-in. */
function wordsIn(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .split(/[\s_-]+/)
    .map((word) => word.toLowerCase());
}

function exportedNames({ tree }: SourceFile): string[] {
  return tree.statements.flatMap((statement) => {
    if (!ts.canHaveModifiers(statement)) return [];
    const isExported = statement.modifiers?.some(
      ({ kind }) => kind === ts.SyntaxKind.ExportKeyword,
    );
    if (isExported !== true) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText(tree));
    const { name } = statement as ts.DeclarationStatement;
    return name === undefined ? [] : [name.text];
  });
}
