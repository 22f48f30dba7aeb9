// Tests the image's Dockerfile (smtp-gateway/Dockerfile): the files that it copies exist, its
// packages are complete, and it runs without rights. test/programs/gateway starts its command.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONTEXT, COPIED, instructions } from "./dockerfile.ts";

const ROOT = join(import.meta.dirname, "../..");
const MANIFEST = JSON.parse(readFileSync(join(CONTEXT, "package.json"), "utf8")) as {
  dependencies: Record<string, string>;
};
const EXACT_MATCH = expect.stringMatching(/^\d+\.\d+\.\d+$/) as string;
const DIGEST = expect.stringMatching(/^sha512-/) as string;

interface Locked {
  readonly version: string;
  readonly integrity: string;
  readonly dependencies?: Record<string, string>;
}

describe("the image", () => {
  it("copies only files that exist and that .dockerignore lets through", () => {
    const permitted = readFileSync(join(CONTEXT, ".dockerignore"), "utf8").trim().split("\n");
    expect(permitted[0]).toBe("*");
    for (const path of COPIED) {
      expect(existsSync(join(CONTEXT, path))).toBe(true);
      expect(permitted).toContain(`!${path}`);
    }
    expect(new Set(COPIED)).toEqual(new Set(["package.json", "package-lock.json", "src"]));
  });

  it("installs every package that the gateway imports, with exact versions throughout", () => {
    const sources = globSync("src/**/*.ts", { cwd: CONTEXT }).map((path) =>
      readFileSync(join(CONTEXT, path), "utf8"),
    );
    const specifiers = sources.flatMap((text) =>
      Array.from(
        text.matchAll(/^(?:import|export) (?:[^;]*? from )?"([^"]+)";$/gm),
        ([, from = ""]) => from,
      ),
    );
    const packages = new Set(
      specifiers
        .filter((from) => !/^(?:node:|\.\.?\/)/.test(from))
        .map((from) => from.split("/")[0] ?? ""),
    );
    expect(packages).toEqual(new Set(Object.keys(MANIFEST.dependencies)));
    const locked = (path: string) =>
      JSON.parse(readFileSync(path, "utf8")) as { packages: Record<string, Locked> };
    const { packages: whole } = locked(join(ROOT, "package-lock.json"));
    const { "": manifest, ...own } = locked(join(CONTEXT, "package-lock.json")).packages;
    expect(manifest?.dependencies).toEqual(MANIFEST.dependencies);
    // A package has a copy of its own where another needs another version.
    const placeOf = (name: string, of: string) =>
      `${of}/node_modules/${name}` in own ? `${of}/node_modules/${name}` : `node_modules/${name}`;
    const wanted = new Set(Object.keys(MANIFEST.dependencies).map((name) => placeOf(name, "")));
    for (const place of wanted)
      for (const next of Object.keys(own[place]?.dependencies ?? {}))
        wanted.add(placeOf(next, place));
    expect(new Set(Object.keys(own))).toEqual(wanted);
    for (const [path, entry] of Object.entries(own))
      expect([path, entry]).toEqual([path, whole[path]]);
    for (const { version, integrity } of Object.values(own))
      expect([version, integrity]).toEqual([EXACT_MATCH, DIGEST]);
  });

  it("runs as an unprivileged user, with a state directory that it may write to", () => {
    expect(instructions("USER")).toEqual(["node"]);
    const [state] = instructions("VOLUME");
    expect(instructions("ENV")[0]).toContain(`EGRESS_STATE=${state}`);
    expect(instructions("RUN").at(-1)).toBe(
      'mkdir -p "$EGRESS_STATE" && chown node:node "$EGRESS_STATE"',
    );
    expect(instructions("STOPSIGNAL")).toEqual(["SIGTERM"]);
  });
});
