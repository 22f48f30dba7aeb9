// Tests lists of any length (console/src/parts): which items are drawn, which positions a screen
// reader announces, and how a whole list is written to a file.
import { describe, expect, it, vi } from "vitest";
import { ApiFailure } from "../../../console/src/api/failure.ts";
import { csvName, exportTexts } from "../../../console/src/parts/export/file-names.ts";
import {
  countItems,
  countTableRows,
  drawnItems,
  itemAt,
  itemOfRow,
} from "../../../console/src/parts/list/list-items.ts";
import { readPages } from "../../../console/src/parts/export/patient-pages.ts";

describe("the items of a list", () => {
  it("are the rows, and the detail after the open row", () => {
    const items = [0, 1, 2, 3].map((index) => itemAt(index, 1));
    const names = items.map(({ row, isDetail }) => (isDetail ? `detail ${row}` : row));
    expect(names).toEqual([0, 1, "detail 1", 2]);
    expect([0, 1, 2].map((row) => itemOfRow(row, 1))).toEqual([0, 1, 3]);
    expect([itemAt(2, -1), itemOfRow(2, -1)]).toEqual([{ row: 2, isDetail: false }, 2]);
    expect([countItems(3, -1), countItems(3, 1)]).toEqual([3, 4]);
  });

  it("are drawn near the viewport, and where the focus or the open row is", () => {
    const range = { startIndex: 50, endIndex: 52 };
    expect(drawnItems(range, 1, 100_000, [-1, 3, 99_999, 51])).toEqual([
      3, 49, 50, 51, 52, 53, 99_999,
    ]);
    expect(drawnItems({ startIndex: 0, endIndex: 2 }, 10, 2, [5])).toEqual([0, 1]);
    expect(drawnItems({ startIndex: 0, endIndex: 0 }, 10, 0, [])).toEqual([]);
  });

  it("are counted with the head for a screen reader, if the total is known", () => {
    expect(countTableRows(100, 100, 100)).toBe(101);
    expect(countTableRows(101, 100, 10_100)).toBe(10_102);
    expect(countTableRows(100, 100, null)).toBe(-1);
    // The total count may be older than the rows on the page, and therefore too low.
    expect(countTableRows(100, 100, 99)).toBe(101);
  });
});

describe("a file of a whole list", () => {
  it("is named by its days, and its progress is described", () => {
    const end = Date.parse("2026-11-23T08:00:00Z");
    expect(csvName("suppressions", end)).toBe("postern-suppressions-2026-11-23.csv");
    expect(csvName("messages", end, Date.parse("2026-11-01T00:00:00Z"))).toBe(
      "postern-messages-2026-11-01-to-2026-11-23.csv",
    );
    expect(exportTexts(false, "a.csv", 1_000, 2_500)).toBe("Preparing a.csv: 1,000 of 2,500 rows");
    expect(exportTexts(false, "a.csv", 1_000, null)).toBe("Preparing a.csv: 1,000 rows");
    expect(exportTexts(true, "a.csv", 1, 1)).toBe("a.csv downloaded: 1 row.");
  });

  it("has every page, and continues after a 429", async () => {
    vi.useFakeTimers();
    const asked: (string | null)[] = [];
    const answers = [
      { data: [1, 2], next_cursor: "b" },
      new Response(null, { status: 429, headers: { "Retry-After": "7" } }),
      { data: [3], next_cursor: null },
    ];
    const pages = readPages<number>((after) => {
      asked.push(after);
      const answer = answers.shift();
      if (!answer || answer instanceof Response)
        throw new ApiFailure(answer ?? new Response(), null);
      return Promise.resolve(answer);
    }, new AbortController().signal);
    const rows = (async () => {
      const all: number[] = [];
      for await (const page of pages) all.push(...page);
      return all;
    })();
    await vi.advanceTimersByTimeAsync(7_000);
    expect(asked).toEqual([null, "b"]);
    await vi.runAllTimersAsync();
    expect(await rows).toEqual([1, 2, 3]);
    expect(asked).toEqual([null, "b", "b"]);
    vi.useRealTimers();
  });

  it("ends with any other refusal, and when it is canceled", async () => {
    const refused = readPages(
      () => Promise.reject(new ApiFailure(new Response(null, { status: 422 }), null)),
      new AbortController().signal,
    );
    await expect(refused.next()).rejects.toThrow("HTTP 422");
    const stop = new AbortController();
    const pages = readPages(() => Promise.resolve({ data: [1], next_cursor: "b" }), stop.signal);
    await pages.next();
    stop.abort();
    await expect(pages.next()).rejects.toThrow();
  });
});
