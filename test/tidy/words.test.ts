// Checks that each word has only one sense (docs/glossary.md). A word that is easily used in a
// second sense may be in an exported name or a file's name only where it has its one sense.
import { basename } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { ownFiles, type SourceFile } from "./source-files.ts";

interface WordRule {
  /** One word, as a part of a name in lower case. */
  readonly word: RegExp;
  /**
   * The paths or names in which the word has its one sense. If both are missing, no name may have
   * the word.
   */
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
  // Events that are in no chunk yet are recent events.
  { word: /^tails?$/ },
  // A contract is a document. A Durable Object has calls.
  { word: /^contracts?$/ },
  // A suppression has a note; a release has notes. What happened is recorded or remembered.
  { word: /^notes?$/, paths: /^(?:tools\/release|src\/resources\/suppressions)\// },
  // An object gets dependencies or settings. A webhook is never called a hook.
  { word: /^hooks?$/ },
  // A provider's refusal holds a domain or the account, and an SMTP client asks to hold a message
  // (RFC 4865). A job waits; a lease is renewed.
  {
    word: /^(?:holds?|held)$/,
    paths: /\/(?:holds|hold-\w+|held-\w+|\w+-hold)\.ts$/,
    names:
      /^(?:HOLD_\w+|(?:read|refuse|remaining|Submitted|Requested)Hold|Held(?:Copy|Message)|isHeld|(?:Sending|Active|Named|Observed)Hold)$/,
  },
  // A cursor has a position; a text has a placeholder.
  { word: /^places?$/ },
  // A report is mail: a DSN, a complaint, or DMARC's. A bench, a check and a command have results.
  {
    word: /^report(?:s|ed)?$/,
    paths: /^(?:src\/(?:mail|limits|resources\/domains)|smtp-gateway\/src\/inbound)/,
  },
  // DNS is looked up: a lookup. A theme is seen; a check is made.
  { word: /^looks?$/, names: /look-?up/i },
  // A command has actions.
  { word: /^acts?$/ },
  // DNS answers. HTTP has responses, SMTP has replies, a call has results.
  { word: /^answer(?:s|ed)?$/, paths: /(?:dns|domains)\//, names: /Dns/ },
  // A page or a resource is not found (404). A query returns values or results.
  { word: /^found$/, names: /^(?:not|nothing)-?found$/i },
  // A value is stored, cached or remembered.
  { word: /^kept$/ },
  // A provider gave no verdict.
  { word: /^unheard$/ },
  // A session is SMTP's, the console's or a shard's (D1). Names in other folders say which.
  {
    word: /^sessions?$/,
    paths: /^(?:console\/src|src\/api\/console|smtp-gateway\/src\/inbound)\//,
    names: /console|smtp|shard|relay|inspector/i,
  },
  // Names of a webhook's batches and deliveries have `webhook`. All others are of mail.
  {
    word: /^(?:batch(?:es)?|deliver(?:y|ies))$/,
    paths: /^(?!.*webhook)/,
    names: /webhook|^DeliveryOfFormat$/i,
  },
  // A pool has IP addresses. Connections have no pool.
  { word: /^pools?$/, names: /^checkPool$/ },
  // DMARC's tree is walked (RFC 9989). A history is scanned.
  { word: /^walks?$/, paths: /^src\/resources\/domains\/policies\// },
  // A gateway is asked (a verb). What a read asks for is a query.
  { word: /^asks?$/, names: /^ask/i },
  // A text has words (RFC 2047 has encoded words). A command has arguments, an error a text.
  {
    word: /^words?$/,
    paths:
      /^(?:src\/lib\/mime|console\/src\/pages\/templates\/diff)\/|subject-words|nearest-word|made-events/,
  },
  // A row of the log is dispatched to webhooks. A job is sent to the queue.
  { word: /^dispatch(?:er)?$/, names: /log|row/i },
  // Mail gets a verdict: an outcome, a report, a provider's event. Others have results, summaries.
  { word: /^verdicts?$/, paths: /^src\/mail\//, names: /^NoVerdict$/ },
  // A stream is of releases, or of bytes. Chunks have readers.
  { word: /^streams?$/, paths: /^(?!src\/resources\/)/ },
  // A gateway is asked questions about attempts. People get prompts, a child process commands.
  { word: /^questions?$/, names: /attempt|gateway|host|deliver|^(?:serveQ|QuestionR|question-c)/i },
  // An exported name needs a second word: BenchRow, ParsedArguments.
  {
    word: /^(?:rows?|items?|results?|options|given|begun|settled)$/,
    names: /^(?!(?:rows?|items?|results?|options|given|begun|settled)$)/i,
  },
  // Instead of offer: a ledger releases a job again, and an API supports a path.
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
  ["src/mail/deliver/leases.ts", "holdLeases"],
  ["src/resources/webhooks/wire.ts", "toBatch"],
  ["src/rpc/ledger-calls.ts", "FoundMessage"],
  ["src/api/mcp/bounded-answer.ts", "bounded-answer"],
  ["tools/bench/harness/bench-result.ts", "Row"],
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
