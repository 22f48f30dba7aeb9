// Builds the package's files: the client as an ES module and as CommonJS, the command line, and one
// set of declarations for both forms of the client.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Plugin } from "esbuild";

export const PACKAGE = join(import.meta.dirname, "..");
/** Maximum size of the packed file. Half of it is the check of mails, with its data. */
export const PACKED_BYTES = 136 * 1024;
/**
 * TypeScript's native compiler. Its package has an alias, because the package of TypeScript 5 has
 * the same name.
 */
export const COMPILER = fileURLToPath(
  new URL("bin/tsc", import.meta.resolve("typescript-native/package.json")),
);
const CLIENT = join(PACKAGE, "src/client/postern.ts");
const COMMAND_LINE = join(PACKAGE, "src/cli/main.ts");
const RENDER = "@react-email/render";

const SHARED: BuildOptions = {
  bundle: true,
  minifyWhitespace: true,
  minifySyntax: true,
  target: "es2022",
  external: [RENDER],
};

/**
 * Writes the package's files into the folder. If the folder has the package's sources, only `dist`
 * changes.
 */
export async function buildPackage(folder: string): Promise<void> {
  const dist = join(folder, "dist");
  rmSync(dist, { recursive: true, force: true });
  await Promise.all([
    build({
      ...SHARED,
      entryPoints: { postern: CLIENT, "cli/main": COMMAND_LINE },
      platform: "node",
      format: "esm",
      splitting: true,
      chunkNames: "client",
      outdir: dist,
    }),
    build({
      ...SHARED,
      entryPoints: [CLIENT],
      platform: "node",
      format: "cjs",
      outfile: join(dist, "postern.cjs"),
      plugins: [requiresRender],
    }),
  ]);
  writeDeclarations(dist);
  if (folder !== PACKAGE)
    for (const name of ["package.json", "README.md", "LICENSE", "bin"])
      cpSync(join(PACKAGE, name), join(folder, name), { recursive: true });
}

/**
 * Makes the CommonJS module call `require` for the optional package where the ES module calls
 * `import()`, because Jest refuses `import()`. Bundlers ignore that the package is missing if
 * `require` is within `try`.
 */
const requiresRender: Plugin = {
  name: "require-render",
  setup: (bundler) =>
    bundler.onLoad({ filter: /react-content\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const contents = text.replace(`await import("${RENDER}")`, `require("${RENDER}")`);
      if (contents === text) throw new Error(`${path} does not import ${RENDER}`);
      return { contents, loader: "ts" };
    }),
};

/**
 * Writes the declarations as CommonJS. An ES module may import them too, so a class has the same
 * type in both module forms.
 */
function writeDeclarations(dist: string): void {
  const made = mkdtempSync(join(tmpdir(), "postern-declarations-"));
  try {
    const options = "--noEmit false --declaration --emitDeclarationOnly --rootDir src --outDir";
    const args = [COMPILER, "-p", "tsconfig.json", ...options.split(" "), made];
    const { status } = spawnSync(process.execPath, args, { cwd: PACKAGE, stdio: "inherit" });
    if (status !== 0) throw new Error("the declarations could not be made");
    for (const path of readdirSync(made, { recursive: true, encoding: "utf8" })) {
      if (!path.endsWith(".d.ts")) continue;
      const text = readFileSync(join(made, path), "utf8");
      const written = join(dist, "types", path.replace(/\.ts$/, ".cts"));
      mkdirSync(dirname(written), { recursive: true });
      const linked = text.replaceAll(/(?<=")(\.{1,2}\/[^"]+)\.ts(?=")/g, "$1.cjs");
      // Indentation by one space in place of four saves 1 % of the packed file.
      writeFileSync(
        written,
        linked.replaceAll(/^ {4,}/gm, ({ length }) => " ".repeat(length / 4)),
      );
    }
  } finally {
    rmSync(made, { recursive: true });
  }
  for (const kind of ["ts", "cts"])
    writeFileSync(join(dist, `postern.d.${kind}`), 'export * from "./types/client/postern.cjs";\n');
}
