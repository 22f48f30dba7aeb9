// An import of suppressions continues after the worker's runtime is killed in the middle of it, and
// counts each row once (docs/operating.md §Moving a suppression list).
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Stack } from "./stack.ts";

const ROWS = 10_000;
const PATIENCE_MS = 90_000;

interface Import {
  readonly id: string;
  readonly status: string;
  readonly total: number;
}

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});
afterAll(() => stack.destroy());

/** Polls the import until `isSo`. A worker that restarts does not answer. */
async function until(id: string, isSo: (one: Import) => boolean): Promise<Import> {
  for (let waited = 0; waited < PATIENCE_MS; waited += 50) {
    const response = await stack
      .api("GET", `/v1/suppressions/imports/${id}`)
      .catch(() => undefined);
    const shown = response?.ok ? ((await response.json()) as Import) : undefined;
    if (shown && isSo(shown)) return shown;
    await wait(50);
  }
  throw new Error("the import did not come so far");
}

it(
  "an import finishes with every row even if the worker is killed twice",
  { timeout: 240_000 },
  async () => {
    const body = Array.from({ length: ROWS }, (_, index) => `user${index}@example.org`).join("\n");
    const headers = { Authorization: `Bearer ${stack.dev.api_key}`, "Content-Type": "text/csv" };
    const response = await fetch(`${stack.dev.api_url}/v1/suppressions/import`, {
      method: "POST",
      headers,
      body,
    });
    expect(response.status).toBe(202);
    const { id } = (await response.json()) as Import;
    for (const rows of [ROWS / 10, ROWS / 3]) {
      const { status } = await until(id, ({ total }) => total >= rows);
      expect(status).toBe("running");
      stack.killWorker();
    }
    const counts = {
      status: "done",
      total: ROWS,
      imported: ROWS,
      skipped: 0,
      failed: 0,
      errors: [],
    };
    expect(await until(id, ({ status }) => status !== "running")).toEqual({ id, ...counts });
  },
);
