// The snippets of docs/client.md and README.md are programs that compile against the package.
// test/stack/package.test.ts and test/stack/commands.test.ts run them.
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { programOf } from "./page-program.ts";

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
};

/** The pages by the file that each one's program is taken for. */
const PAGES = new Map(
  ["docs/client.md", "README.md"].map((page) => [
    join(import.meta.dirname, page.replace(/\W/g, "-").concat(".ts")),
    page,
  ]),
);

it("the snippets of docs/client.md and README.md compile against the package", () => {
  const plain = ts.createCompilerHost(OPTIONS);
  const host: ts.CompilerHost = {
    ...plain,
    getSourceFile: (path, language, ...rest) => {
      const page = PAGES.get(path);
      return page === undefined
        ? plain.getSourceFile(path, language, ...rest)
        : ts.createSourceFile(path, programOf(page), language);
    },
  };
  const found = ts.getPreEmitDiagnostics(ts.createProgram([...PAGES.keys()], OPTIONS, host));
  const words = found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
  expect(words).toEqual([]);
});
