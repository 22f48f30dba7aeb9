// Tests changes in the console that can be undone for ten seconds
// (console/src/parts/undo/delayed-changes.ts).
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DelayedChanges, UNDO_MS } from "../../../console/src/parts/undo/delayed-changes.ts";

let team: string | undefined;
let changes: DelayedChanges;
const send = vi.fn<() => Promise<unknown>>();
const onFailure = vi.fn<(error: unknown) => void>();

beforeEach(() => {
  vi.useFakeTimers();
  team = "team_a";
  changes = new DelayedChanges(() => team, onFailure);
  send.mockReset().mockResolvedValue(undefined);
});
afterEach(() => vi.useRealTimers());

const add = (name = "lift sup_1") =>
  changes.add({ name, title: "Lifting", done: "Lifted.", failed: "Not lifted.", now: "Now", send });
const states = () => changes.all.map(({ state }) => state.kind);

it("sends a change after ten seconds, and then says for a while that it is done", async () => {
  add();
  add();
  await vi.advanceTimersByTimeAsync(UNDO_MS - 1);
  expect([states(), send.mock.calls.length]).toEqual([["waiting"], 0]);
  await vi.advanceTimersByTimeAsync(1);
  expect([states(), send.mock.calls.length]).toEqual([["done"], 1]);
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect([states(), send.mock.calls.length]).toEqual([[], 1]);
});

it("sends no undone change, and sends the change if it is requested again", async () => {
  add();
  changes.close("lift sup_1");
  await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
  expect([states(), send.mock.calls.length]).toEqual([[], 0]);
  add();
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(send).toHaveBeenCalledTimes(1);
});

it("sends each waiting change once when the person leaves the page", async () => {
  add("lift sup_1");
  add("lift sup_2");
  await Promise.all([changes.sendAll(), changes.sendAll(), changes.send("lift sup_1")]);
  await vi.advanceTimersByTimeAsync(UNDO_MS / 2 - 1);
  expect([states(), send.mock.calls.length]).toEqual([["done", "done"], 2]);
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect([states(), send.mock.calls.length]).toEqual([[], 2]);
});

it("shows a failure until it is tried again or closed", async () => {
  const error = new Error("no network");
  send.mockRejectedValueOnce(error);
  add();
  await vi.advanceTimersByTimeAsync(3 * UNDO_MS);
  expect(changes.all).toMatchObject([{ state: { kind: "failed", error } }]);
  expect(onFailure).toHaveBeenLastCalledWith(error);
  await changes.sendAll();
  await changes.flush("lift sup_1");
  expect(send).toHaveBeenCalledTimes(1);
  await changes.send("lift sup_1");
  expect([states(), send.mock.calls.length]).toEqual([["done"], 2]);
});

it("keeps a change whose request was sent, and notifies its listeners", async () => {
  const told = vi.fn<() => void>();
  changes.subscribe(told);
  const answer = Promise.withResolvers<void>();
  send.mockReturnValueOnce(answer.promise);
  add();
  const sent = changes.send("lift sup_1");
  changes.close("lift sup_1");
  add();
  expect(states()).toEqual(["sending"]);
  const flushed = changes.flush("lift sup_1").then(() => "answered");
  expect(await Promise.race([flushed, Promise.resolve("out")])).toBe("out");
  answer.resolve();
  await Promise.all([sent, flushed]);
  expect(states()).toEqual(["done"]);
  expect(told.mock.calls.length).toBeGreaterThanOrEqual(3);
});

it("sends no change of one team in another team's session", async () => {
  add();
  team = "team_b";
  await changes.sendAll();
  expect([states(), send.mock.calls.length]).toEqual([[], 0]);
});

it("stops the clock while a change is held, and undoes the last change", async () => {
  add("lift sup_1");
  await vi.advanceTimersByTimeAsync(UNDO_MS - 1);
  changes.hold("lift sup_1");
  await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
  expect(changes.all).toMatchObject([{ state: { kind: "waiting", held: 1 } }]);
  changes.resume("lift sup_1");
  add("lift sup_2");
  changes.undoLast();
  await vi.advanceTimersByTimeAsync(1);
  expect([states(), send.mock.calls.length]).toEqual([["done"], 1]);
});
