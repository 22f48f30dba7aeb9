// Checks the rules for names: the name alone is enough to find a file or an exported type.
import { roomOf } from "./import-graph.ts";
import { basename, dirname } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { ownFiles, type SourceFile } from "./source-files.ts";

const FILES_IN_FOLDER = 30;
/** Names that mean the same in every room; Next.js gives each of its routes the name `route`. */
const ROOM_FILES = /^(?:routes?|wire|store|main|consumer)(?:\.test)?\.ts$/;
/** Matches a name that is only a participle, which does not say what a function does. */
const PARTICIPLES =
  /^(?:[a-z]+ed|said|told|given|shown|seen|taken|known|found|built|made|sent|kept|held|written|undone|drawn)$/;
const VERBS_IN_ED = /^(?:embed|exceed|feed|need|proceed|seed|shed|speed|succeed)$/;

const files = ownFiles();
const product = files.filter(({ path }) => /^(?:src|smtp-gateway)\//.test(path));
/** Matches a constant with a number as its value. */
const NUMBER = /^(?:export )?const ([A-Z][A-Z\d_]*)(?:: number)? = ([\d_.]+);/gm;

describe("names", () => {
  it("of files are unique, except those that every room has", () => {
    const paths = files.map(({ path }) => path).filter((path) => !ROOM_FILES.test(basename(path)));
    expect(twice(paths, (path) => basename(path))).toEqual([]);
  });

  it("of exported types are unique", () => {
    const types = files.flatMap((file) =>
      exportedTypes(file).map((name) => ({ name, path: file.path })),
    );
    expect(twice(types, ({ name }) => name).map(describeType)).toEqual([]);
  });

  it("of numbers have one value in a room of src", () => {
    const numbers = files
      .filter(({ path }) => path.startsWith("src/"))
      .flatMap(({ path, text }) =>
        Array.from(text.matchAll(NUMBER), ([, name = "", value = ""]) => ({
          name: `${roomOf(path)} ${name}`,
          value: value.replaceAll("_", ""),
        })),
      );
    const rooms = [...Map.groupBy(numbers, ({ name }) => name)];
    const wrong = rooms.filter(([, same]) => new Set(same.map(({ value }) => value)).size > 1);
    expect(wrong.map(([name]) => name)).toEqual([]);
  });

  it("of units of time are defined once in src, beside lib/, in the gateway and in the console", () => {
    const places = files
      .filter(({ path }) => /^(?:src\/(?!lib\/)|smtp-gateway\/|console\/)/.test(path))
      .filter(({ text }) => /^(?:export )?const (?:SECOND|MINUTE|HOUR|DAY)_MS =/m.test(text));
    const once = [
      "console/src/parts/time/time-units.ts",
      "smtp-gateway/src/millisecond-units.ts",
      "src/limits.ts",
    ];
    expect(places.map(({ path }) => path).toSorted()).toEqual(once);
  });

  it("of functions are not bare participles", () => {
    const wrong = product.flatMap((file) =>
      functionNames(file)
        .filter((name) => PARTICIPLES.test(name) && !VERBS_IN_ED.test(name))
        .map((name) => `${file.path}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it("are few enough in a folder to be read at once", () => {
    const folders = Map.groupBy(files, ({ path }) => dirname(path));
    const crowded = [...folders].filter(([, inside]) => inside.length > FILES_IN_FOLDER);
    expect(crowded.map(([folder, inside]) => `${folder}: ${inside.length} files`)).toEqual([]);
  });
});

function twice<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return [...Map.groupBy(items, keyOf).values()].filter((same) => same.length > 1).flat();
}

function describeType({ name, path }: { name: string; path: string }): string {
  return `${name} in ${path}`;
}

function exportedTypes({ tree }: SourceFile): string[] {
  return tree.statements.flatMap((statement) =>
    (ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isClassDeclaration(statement)) &&
    statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true &&
    statement.name !== undefined
      ? [statement.name.text]
      : [],
  );
}

function functionNames({ tree }: SourceFile): string[] {
  return tree.statements.flatMap((statement) =>
    ts.isFunctionDeclaration(statement) && statement.name !== undefined
      ? [statement.name.text]
      : [],
  );
}
