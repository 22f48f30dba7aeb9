// Finds every regular expression of a TypeScript file: its literals, and the constant texts that it
// passes to `new RegExp`.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

export interface Expression {
  readonly line: number;
  /**
   * The source of the expression. Undefined: the source depends on values that this file does not
   * have.
   */
  readonly source: string | undefined;
  readonly flags: string;
}

type Constant = string | number | undefined;

const trees = new Map<string, ts.SourceFile>();

export function expressionsIn(path: string): Expression[] {
  const tree = treeOf(path);
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      found.push({ line, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText(tree) === "RegExp"
    ) {
      const [source, flags] = node.arguments ?? [];
      found.push({ line, source: textOf(source, tree), flags: textOf(flags, tree) ?? "" });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function treeOf(path: string): ts.SourceFile {
  const known =
    trees.get(path) ??
    ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ESNext, true);
  trees.set(path, known);
  return known;
}

function textOf(node: ts.Node | undefined, tree: ts.SourceFile): string | undefined {
  const value = node && (expressionOf(node, tree) ?? valueOf(node, tree));
  return value === undefined ? undefined : String(value);
}

/** Returns the source of a regular expression that is part of another one. */
function expressionOf(node: ts.Node, tree: ts.SourceFile): string | undefined {
  const initial = ts.isIdentifier(node) ? initialOf(node.text, tree) : undefined;
  if (!initial) return undefined;
  if (ts.isRegularExpressionLiteral(initial))
    return initial.text.slice(1, initial.text.lastIndexOf("/"));
  return ts.isNewExpression(initial) && initial.expression.getText(tree) === "RegExp"
    ? textOf(initial.arguments?.[0], tree)
    : undefined;
}

function initialOf(name: string, tree: ts.SourceFile): ts.Expression | undefined {
  const declared = tree.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations]);
  return declared.find((one) => ts.isIdentifier(one.name) && one.name.text === name)?.initializer;
}

function valueOf(node: ts.Node, tree: ts.SourceFile): Constant {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text.replaceAll("_", ""));
  if (ts.isIdentifier(node)) return constantOf(node.text, tree);
  if (ts.isTemplateExpression(node)) {
    const pieces = node.templateSpans.map(
      ({ expression, literal }) => [valueOf(expression, tree), literal.text] as const,
    );
    return pieces.some(([value]) => value === undefined)
      ? undefined
      : node.head.text + pieces.flat().join("");
  }
  if (ts.isCallExpression(node) && node.expression.getText(tree) === "String.fromCharCode")
    return String.fromCharCode(...node.arguments.map((code) => Number(valueOf(code, tree))));
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken)
    return undefined;
  const [left, right] = [valueOf(node.left, tree), valueOf(node.right, tree)];
  if (left === undefined || right === undefined) return undefined;
  return typeof left === "number" && typeof right === "number" ? left + right : `${left}${right}`;
}

/** Returns the value of a constant that the file declares or imports. */
function constantOf(name: string, tree: ts.SourceFile): Constant {
  const initial = initialOf(name, tree);
  if (initial) return valueOf(initial, tree);
  for (const statement of tree.statements) {
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      const path = join(dirname(tree.fileName), statement.moduleSpecifier.text);
      const named = statement.importClause?.namedBindings;
      const isNamed =
        named &&
        ts.isNamedImports(named) &&
        named.elements.some((element) => element.name.text === name);
      if (isNamed && existsSync(path)) return constantOf(name, treeOf(path));
    }
  }
  return undefined;
}
