// Tests the template engine in plain workerd, bundled as for a deployment. Unlike the test pool,
// workerd then forbids generating code from strings, as production does.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare, convertV4MiniflareOptions } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMPATIBILITY, ROOT } from "../../../tools/harness/compatibility.ts";

const TEMPLATE =
  "Hi {{name}}!{{#each l as |x|}} {{x}}{{else}} none{{/each}} {{lookup o (lookup o " +
  '"k")}}{{{{raw}}}} {{x}}{{{{/raw}}}}';
const VARIABLES = { name: "<Ada>", l: [1, 2], o: { k: "m", m: "found" }, raw: true };

const ENTRY = `
import { compileTemplate } from ${JSON.stringify(join(ROOT, "src/lib/template/compile.ts"))};
import { renderTemplate } from ${JSON.stringify(join(ROOT, "src/lib/template/render.ts"))};

function permitsCodeFromStrings() {
  try {
    return new Function("return true")();
  } catch {
    return false;
  }
}

export default {
  async fetch(request) {
    const { source, variables } = await request.json();
    const template = compileTemplate(source);
    const result = template.kind === "error" ? template : renderTemplate(template, variables, { escape: true });
    return Response.json({ permitsCodeFromStrings: permitsCodeFromStrings(), result });
  },
};`;

describe("the built bundle in plain workerd", () => {
  const directory = mkdtempSync(join(tmpdir(), "template-bundle-"));
  let workerd: Miniflare;

  beforeAll(async () => {
    writeFileSync(join(directory, "entry.js"), ENTRY);
    const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
    const options = [
      "--dry-run",
      "--outdir",
      "out",
      "--name",
      "template-bundle",
      "--compatibility-date",
      COMPATIBILITY.date,
      "--compatibility-flag",
      ...COMPATIBILITY.flags,
    ];
    const built = spawnSync(process.execPath, [wrangler, "deploy", "entry.js", ...options], {
      cwd: directory,
      encoding: "utf8",
    });
    expect(built.status, built.stderr).toBe(0);
    const modules = [{ type: "ESModule" as const, path: join(directory, "out/entry.js") }];
    const worker = {
      name: "template-bundle",
      modulesRoot: join(directory, "out"),
      modules,
      compatibilityDate: COMPATIBILITY.date,
      compatibilityFlags: COMPATIBILITY.flags,
    };
    workerd = new Miniflare(
      convertV4MiniflareOptions({ host: "127.0.0.1", port: 0, cf: false, workers: [worker] }),
    );
    await workerd.ready;
  });

  afterAll(async () => {
    await workerd?.dispose();
    rmSync(directory, { recursive: true });
  });

  async function run(source: string): Promise<unknown> {
    const response = await workerd.dispatchFetch("http://bundle.test/", {
      method: "POST",
      body: JSON.stringify({ source, variables: VARIABLES }),
    });
    return response.json();
  }

  it("renders a template without generating code from strings", async () => {
    expect(await run(TEMPLATE)).toEqual({
      permitsCodeFromStrings: false,
      result: { kind: "text", text: "Hi &lt;Ada&gt;! 1 2 found {{x}}" },
    });
  });

  it("refuses an invalid template, and names the position", async () => {
    expect(await run("\n{{#if a}}")).toMatchObject({
      result: { kind: "error", line: 2, column: 1 },
    });
  });
});
