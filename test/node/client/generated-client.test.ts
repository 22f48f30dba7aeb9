// Compares the generated client with the OpenAPI document: the client is generated from today's
// document, and has every operation.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { clientDocument } from "../../../packages/postern/build/client-document.ts";
import { generate, ROOT } from "../../../packages/postern/build/generate.ts";
import { methodName, resourceName } from "../../../packages/postern/build/method-names.ts";
import { Postern } from "../../../packages/postern/src/client/postern.ts";

const generated = await generate();

describe("the generated client", () => {
  it.each(Object.keys(generated))(
    "has %s as generated from the document; otherwise run `npm run client`",
    (name) => {
      expect(readFileSync(new URL(name, ROOT), "utf8")).toBe(generated[name]);
    },
  );

  it("has no type `any`", () => {
    for (const text of Object.values(generated))
      expect(text.replaceAll(/\/\*\*[^]*?\*\//g, "")).not.toMatch(/\bany\b/);
  });

  it("has a method of its own for every operation below /v1", () => {
    const client = new Postern("ps_key", { baseUrl: "https://api.example.com" });
    const { operations } = clientDocument();
    expect(operations.length).toBeGreaterThan(35);
    const names = operations.map(({ path, operationId }) => {
      const resource = resourceName(path);
      return `${resource}.${methodName(operationId, resource)}`;
    });
    expect(new Set(names).size).toBe(names.length);
    const absent = names.filter((name) => {
      const [resource = "", method = ""] = name.split(".");
      const methods = (client as unknown as Record<string, Record<string, unknown>>)[resource];
      return typeof methods?.[method] !== "function";
    });
    expect(absent).toEqual([]);
  });
});
