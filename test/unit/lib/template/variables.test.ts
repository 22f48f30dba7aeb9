// Tests which variables a template reads (src/lib/template/compile.ts, variable-names.ts).
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { sampleVariables } from "../../../../src/resources/templates/sample-variables.ts";
import { pairsOf, rowsOf } from "../../fixture-rows.ts";

function variablesOf(source: string): string[] {
  const template = compileTemplate(source);
  if (template.kind === "error") throw new Error(template.message);
  return template.variables.map((path) => path.join(".")).toSorted();
}

describe("the variables of a template", () => {
  it.each(pairsOf("template-variables", "variables"))("of %s are: %s", (source, names) => {
    expect(variablesOf(source).join(", ")).toBe(names);
  });

  it("are the same when the template comes from the cache", () => {
    const source = `{{a}} {{b.c}} ${crypto.randomUUID()}`;
    for (const names of [variablesOf(source), variablesOf(source)])
      expect(names).toEqual(["a", "b.c"]);
  });
});

describe("the samples of a template's variables", () => {
  const samplesOf = (html: string, subject: string | null = null) =>
    sampleVariables({ subject, html, text: null });

  it.each(rowsOf<[source: string, samples: unknown]>("template-variables", "samples of variables"))(
    "of %s have the types that the template uses them as",
    (source, samples) => {
      expect(samplesOf(source)).toEqual(samples);
      const compiled = compileTemplate(source);
      expect(compiled.kind).toBe("template");
    },
  );

  it("are of subject and HTML, and within the limits of a send's variables", () => {
    expect(samplesOf("{{#each items}}{{title}}{{/each}}", "{{items.length}} {{name}}")).toEqual({
      items: [{ title: "title" }],
      name: "Ada",
    });
    const many = Array.from({ length: 150 }, (_, index) => `{{v${index}}}`).join("");
    expect(Object.keys(samplesOf(many))).toHaveLength(100);
    expect(samplesOf(`{{${"x".repeat(2_000)}}}`)).not.toEqual({});
    const long = Array.from({ length: 40 }, (_, index) => `{{v${index}${"x".repeat(2_000)}}}`);
    expect(samplesOf(long.join(""))).toEqual({});
  });
});
