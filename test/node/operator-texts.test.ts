// Tests that the files which repeat the operator's tables (src/operator) have the tables' texts, and
// that `npm run operator` leaves an operator's own values as they are.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { SETTING_NAMES, settingOf } from "../../src/operator/setting-table.ts";
import { GENERATED } from "../../tools/operator/generated-text.ts";

const read = (path: string): string =>
  readFileSync(join(import.meta.dirname, "../..", path), "utf8");

describe("the operator's tables", () => {
  it.each(Object.entries(GENERATED))("are repeated by %s", (path, edit) => {
    expect(edit(read(path)) === read(path), "npm run operator writes the file").toBe(true);
  });

  it("have the variables of wrangler.toml, with the values that it ships", () => {
    const { vars } = parse(read("wrangler.toml")) as { vars: Record<string, string> };
    const shipped = SETTING_NAMES.flatMap((name) => {
      const value = settingOf(name).shipped;
      return value === undefined ? [] : [[name, value]];
    });
    expect(vars).toMatchObject(Object.fromEntries(shipped));
  });

  it("are written without a change of an operator's own value or of a shard's binding", () => {
    const own = read("wrangler.toml")
      .replace('SERVICE_DOMAIN = "postern.example"', 'SERVICE_DOMAIN = "post.example.com"')
      .replace("[[r2_buckets]]", '[[d1_databases]]\nbinding = "SHARD_1"\n\n[[r2_buckets]]');
    expect(GENERATED["wrangler.toml"]?.(own)).toBe(own);
    const added = read("package.json").replace(
      '"SHARD_0": {',
      '"SHARD_1": { "description": "More events." },\n      "SHARD_0": {',
    );
    expect(GENERATED["package.json"]?.(added)).toBe(added);
  });
});
