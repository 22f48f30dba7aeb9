// Compares the operations for which the console asks before it shows an action
// (console/src/parts/permitted.tsx) with the operations that its pages call, and with the table of
// roles.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Resources } from "../../packages/postern/src/generated/resources.ts";
import type { ApiCall } from "../../packages/postern/src/request/api-call.ts";
import { mayCall } from "../../src/member-rights.ts";
import { readDocument } from "../../tools/openapi/read-document.ts";

const SOURCES = join(import.meta.dirname, "../../console/src");
const VIEWER = { role: "viewer", mayLift: false, mayReadContent: false } as const;

const sources = globSync("**/*.{ts,tsx}", { cwd: SOURCES })
  .filter((path) => !path.includes("operator"))
  .map((path) => readFileSync(join(SOURCES, path), "utf8"));
const asked = new Set(
  sources.flatMap((text) =>
    [...text.matchAll(/"((?:GET|POST|PATCH|DELETE) \/[^"]+)"/g)].map(([, name]) => name ?? ""),
  ),
);
const { paths } = readDocument("https://post.example.com") as {
  readonly paths: Readonly<Record<string, object>>;
};
const known = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

describe("the console", () => {
  it("asks only for operations that the table has", () => {
    expect([...asked].filter((name) => !known.includes(name))).toEqual([]);
  });

  it("asks for each change that its pages make, if a role may lack it", () => {
    const calls = [...calledOperations(), ...known.filter((name) => name.includes("/members"))];
    const changes = calls.filter((name) => !name.startsWith("GET ") && !isForViewers(name));
    expect(changes.length).toBeGreaterThan(25);
    expect(changes.filter((name) => !asked.has(name))).toEqual([]);
  });
});

/** Returns the operations that the pages call by the methods of the client. */
function calledOperations(): string[] {
  const calls: ApiCall[] = [];
  const api = new Resources((call) => {
    calls.push(call);
    return Promise.resolve(undefined as never);
  }) as unknown as Record<string, Record<string, (...given: string[]) => unknown>>;
  for (const text of sources)
    for (const [, noun = "", verb = ""] of text.matchAll(/\bapi\.(\w+)\.(\w+)\(/g))
      api[noun]?.[verb]?.("x", "x");
  return [...new Set(calls.map(nameOf))];
}

function nameOf({ method, path }: ApiCall): string {
  const placed = (name: string) => name.replaceAll(/\{\w+\}/g, "x");
  return known.find((name) => placed(name) === `${method} ${path}`) ?? `${method} ${path}`;
}

function isForViewers(name: string): boolean {
  const [method = "", path = ""] = name.split(" ");
  const placed = path.replaceAll(/\{(\w+)\}/g, ":$1");
  const permission = path.startsWith("/v1/") ? "full" : "owner";
  return mayCall(VIEWER, { method, path: placed, permission });
}
