// Tests the template engine in plain workerd, bundled as for a deployment. Workerd then forbids
// generating code from strings, as production does and the test pool does not.
import { describe, expect, it } from "vitest";
import { askWorker } from "../plain-workerd.ts";

const TEMPLATE =
  "Hi {{name}}!{{#each l as |x|}} {{x}}{{else}} none{{/each}} {{lookup o (lookup o " +
  '"k")}}{{{{raw}}}} {{x}}{{{{/raw}}}}';
const VARIABLES = { name: "<Ada>", l: [1, 2], o: { k: "m", m: "found" }, raw: true };

describe("the built bundle in plain workerd", () => {
  it("renders a template without generating code from strings", async () => {
    expect(await askWorker("/render", { source: TEMPLATE, variables: VARIABLES })).toEqual({
      permitsCodeFromStrings: false,
      result: { kind: "text", text: "Hi &lt;Ada&gt;! 1 2 found {{x}}" },
    });
  });

  it("refuses an invalid template, and names the position", async () => {
    expect(await askWorker("/render", { source: "\n{{#if a}}", variables: {} })).toMatchObject({
      result: { kind: "error", line: 2, column: 1 },
    });
  });
});
