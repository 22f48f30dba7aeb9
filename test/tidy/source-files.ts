// Reads the repository's own code for the tidy tests: every file with its text, its tree and its
// imports.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import ts from "typescript";

export const ROOT = join(import.meta.dirname, "../..");
const FOLDERS = [
  "src",
  "smtp-gateway/src",
  "packages/postern/build",
  "packages/postern/src",
  "console/build",
  "console/src",
  "examples",
  "tools",
  "test",
];

interface Import {
  /** The path from the root if the file is the repository's own, else the package. */
  readonly target: string;
  readonly own: boolean;
  readonly typeOnly: boolean;
}

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
  readonly imports: readonly Import[];
}

/** Generated files. The rules read only their imports. */
const GENERATED = new Set([
  "console/src/api/operator/resources.ts",
  "console/src/api/operator/types.ts",
  "packages/postern/src/generated/resources.ts",
  "packages/postern/src/generated/types.ts",
]);

let own: readonly SourceFile[] | undefined;

/** Returns every TypeScript file that was written by hand. */
export function ownFiles(): readonly SourceFile[] {
  return (own ??= FOLDERS.flatMap(sourcesBelow)
    .filter((path) => !GENERATED.has(path))
    .map(load));
}

/** The generated files, for the rules of imports. */
export function generatedFiles(): SourceFile[] {
  return [...GENERATED].map(load);
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes("node_modules"),
    )
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

/** Parses a file when a rule first asks for its tree, because most rules need only its text. */
function load(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), "utf8");
  let tree: ts.SourceFile | undefined;
  let imports: readonly Import[] | undefined;
  return {
    path,
    text,
    get tree() {
      return (tree ??= ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true));
    },
    get imports() {
      return (imports ??= importsOf(this));
    },
  };
}

function importsOf({ path, tree }: SourceFile): Import[] {
  return tree.statements.flatMap((statement): Import[] => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    if (!statement.moduleSpecifier || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const specifier = statement.moduleSpecifier.text;
    const isOwn = specifier.startsWith(".");
    return [
      {
        target: isOwn ? normalize(join(dirname(path), specifier)) : specifier,
        own: isOwn,
        typeOnly: isTypeOnly(statement),
      },
    ];
  });
}

function isTypeOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  const clause = statement.importClause;
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  return (
    !clause.name &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.every((element) => element.isTypeOnly)
  );
}

/** Returns a node and all nodes below it. */
export function nodesOf(tree: ts.Node): ts.Node[] {
  const nodes = [tree];
  for (const node of nodes) ts.forEachChild(node, (child) => void nodes.push(child));
  return nodes;
}

/** True for a string literal and for a text in a template. */
export const isWritten = (node: ts.Node) =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddleOrTemplateTail(node);

export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
