// Compares the doors of docs/doors.md with the worker: every route of the app, in the order in
// which the code mounts them, and every handler of the entry point. Each route is also called
// without credentials, because a route that is open by mistake is a door too.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { app } from "../../../src/api/app.ts";
import worker from "../../../src/worker.ts";
import page from "../../../docs/doors.md?raw";
import { bindings } from "../../support/api.ts";

/** A row of a table, by its cells. */
type Row = readonly string[];

function rowsBelow(heading: string): readonly Row[] {
  const [, part = ""] = page.split(`\n### ${heading}\n`);
  const lines = (part.split(/\n##/, 1)[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  return lines.map((line) => line.slice(2).split(" | "));
}

const inTicks = (cell = ""): string[] =>
  Array.from(cell.matchAll(/`([^`]+)`/g), ([, text = ""]) => text);

/**
 * Reads a table of docs/doors.md. Returns for each door (a route or a handler) the status for
 * callers without credentials.
 */
function answersBelow(heading: string): ReadonlyMap<string, number> {
  return new Map(
    rowsBelow(heading).flatMap(([doors, gets]) =>
      inTicks(doors).map((door) => [door, Number(gets)] as const),
    ),
  );
}

const open = answersBelow("Open to strangers");
const closed = answersBelow("Behind a credential");
const routes = app.routes.filter(({ method }) => method !== "ALL");
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const behind = ({ path }: { path: string }) =>
  [...closed.keys()].find((door) => path.startsWith(door.replace(/\*$/, "")));

async function knock(method: string, path: string): Promise<number> {
  const context = createExecutionContext();
  const url = `https://api.postern.test${path.replaceAll(/:\w+|\*/g, "x")}`;
  const response = await app.fetch(new Request(url, { method }), bindings, context);
  await response.body?.cancel();
  await waitOnExecutionContext(context);
  return response.status;
}

describe("the worker's doors", () => {
  it("are those of docs/doors.md, and every route has a row there", () => {
    const missing = routes.filter((route) => !open.has(nameOf(route)) && !behind(route));
    expect(missing.map(nameOf)).toEqual([]);
    const names = new Set(routes.map(nameOf));
    expect([...open.keys()].filter((door) => !names.has(door))).toEqual([]);
    const used = new Set(routes.map(behind));
    expect([...closed.keys()].filter((door) => !used.has(door))).toEqual([]);
  });

  it("answer a caller without credentials as docs/doors.md says", async () => {
    const answers = await Promise.all(
      routes.map(async (route) => {
        const said = open.get(nameOf(route)) ?? closed.get(behind(route) ?? "");
        return [nameOf(route), await knock(route.method, route.path), said];
      }),
    );
    expect(answers.filter(([, status, said]) => status !== said)).toEqual([]);
  });

  it("are 404 or 405 for every other path and method", async () => {
    const others = app.routes.filter(({ method }) => method === "ALL");
    const statuses = await Promise.all(others.map(({ path }) => knock("PUT", path)));
    const wrong = others.filter((_, index) => ![404, 405].includes(statuses[index] ?? 0));
    expect(wrong.map(nameOf)).toEqual([]);
  });

  it("that only Cloudflare calls are the entry point's other handlers", () => {
    const handlers = Object.keys(worker).filter((name) => name !== "fetch");
    const said = rowsBelow("By Cloudflare alone").flatMap(([door]) => inTicks(door));
    expect(said.toSorted()).toEqual(handlers.map((name) => `${name}()`).toSorted());
  });
});
