// Tests the turns of messages that the gateway gives back (docs/egress-protocol.md §Kept turns): when
// a message waits in vain, when there will be room for it, and what is remembered. No time passes:
// each test says what time it is.
import { fc } from "../../support/properties.ts";
import { describe, expect, it, vi } from "vitest";
import { ByArrival } from "../../../smtp-gateway/src/destinations/by-arrival.ts";
import { TurnForecast } from "../../../smtp-gateway/src/destinations/turn-forecast.ts";
import { WaitingLine } from "../../../smtp-gateway/src/destinations/waiting-line.ts";
import type { WaitingMessage } from "../../../smtp-gateway/src/destinations/waiting-lanes.ts";
import { PromisedTurns } from "../../../smtp-gateway/src/outbound/promised-turns.ts";

const SECOND = 1_000;
const WAIT = 120 * SECOND;

const message = (since: number, team = "a", priority: "high" | "normal" = "normal") => {
  return { team, priority, since };
};

interface Arrived extends WaitingMessage {
  readonly arrived: number;
}

/** A message that the worker brings back at a time. */
interface Away {
  readonly one: WaitingMessage;
  readonly at: number;
  readonly leave: () => void;
}

/**
 * A destination of five connections, each of which takes a message every half second, and a worker
 * that asks about each message as the ledger does (ledger/open/job-waits.ts).
 */
class Provider {
  readonly forecast = new TurnForecast(WAIT);
  readonly sent: WaitingMessage[] = [];
  /** Number of free turns while messages were still to come. */
  idle = 0;
  readonly #waiting = new ByArrival<Arrived>();
  #away: Away[] = [];

  arrive(one: WaitingMessage, now: number): void {
    this.#waiting.add({ ...one, arrived: now });
    this.forecast.add(one, now);
  }

  /** Lets messages come, be given back and be sent until all are sent. */
  run(perSecond: (now: number) => number): number {
    let now = 0;
    for (; this.#waiting.length + this.#away.length > 0; now += SECOND / 2) {
      for (const { one, leave } of this.#away.filter(({ at }) => at <= now)) {
        leave();
        this.arrive(one, now);
      }
      this.#away = this.#away.filter(({ at }) => at > now);
      for (let turns = perSecond(now) / 2; turns > 0; turns -= 1) {
        const next = this.#waiting.shift();
        if (!next) this.idle += 1;
        else {
          this.forecast.remove(next, now);
          this.forecast.noteEnd(now);
          this.sent.push(next);
        }
      }
      if (now % SECOND === 0) this.#giveBack(now);
    }
    return now;
  }

  #giveBack(now: number): void {
    const isOver = (one: Arrived): boolean => {
      const waited = now - one.arrived;
      const looks = waited > 0 && waited % (WAIT / 4) === 0;
      const isInVain = looks && this.forecast.isInVain(one, one.arrived + WAIT, now);
      return waited >= WAIT || isInVain;
    };
    const over = this.#waiting.remove(isOver);
    for (const one of over) this.forecast.remove(one, now);
    for (const one of over) {
      const waited = now - one.arrived;
      const { roomAt, leave } = this.forecast.promiseTurn(one, now);
      const asked = [5, 9, 17, 33, 65, 125].find((seconds) => seconds * SECOND >= waited) ?? 185;
      const at = Math.max(roomAt, one.arrived + asked * SECOND) + 2 * SECOND;
      this.#away.push({ one, at, leave });
    }
  }
}

function inOrder(sent: readonly WaitingMessage[]): boolean {
  return sent.every(({ since }, at) => at === 0 || since >= sent[at - 1]!.since);
}

describe("1,500 messages at once to a provider that takes ten a second", () => {
  function provider(): Provider {
    const one = new Provider();
    for (let at = 0; at < 1_500; at += 1) one.arrive(message(at / 1_000), 0);
    return one;
  }

  it("are sent in the order of their arrival, and the provider never stands idle", () => {
    const one = provider();
    expect(one.run(() => 10)).toBe(150 * SECOND);
    expect(one.idle).toBe(0);
    expect(inOrder(one.sent)).toBe(true);
    // The last message of the oldest quarter goes after a quarter of the time.
    expect(one.sent.findLastIndex(({ since }) => since < 0.375)).toBe(374);
  });

  it.each<[string, (now: number) => number]>([
    ["becomes slower", (now) => (now < 60 * SECOND ? 10 : 4)],
    ["becomes faster", (now) => (now < 60 * SECOND ? 4 : 10)],
    ["hangs for a minute", (now) => (now > 40 * SECOND && now < 100 * SECOND ? 0 : 10)],
  ])("keep the provider busy for 95 % of the time if it %s", (_, perSecond) => {
    const one = provider();
    one.run(perSecond);
    expect(one.sent).toHaveLength(1_500);
    expect(one.idle).toBeLessThan(0.05 * 1_500);
  });
});

describe("the list of items by arrival", () => {
  it("stays sorted, whatever is added and removed", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3_000), { maxLength: 3_000, size: "max" }), (numbers) => {
        const [items, list] = [new ByArrival<{ since: number }>(), [] as number[]];
        for (const number of numbers) {
          const since = number % 700;
          if (number < 700) {
            items.removeOne(since);
            if (list.includes(since)) list.splice(list.indexOf(since), 1);
          } else if (number < 900) expect(items.shift()?.since).toBe(list.shift());
          else {
            items.add({ since });
            list.splice(list.filter((one) => one <= since).length, 0, since);
          }
        }
        const sorted = [...items.values()];
        expect(sorted.map(({ since }) => since)).toEqual(list);
        for (const since of [0, 350, 699]) {
          const before = list.filter((one) => one < since).length;
          expect(items.countBefore(since)).toBe(before);
        }
        expect(items.remove(({ since }) => since % 2 === 0)).toHaveLength(
          list.filter((since) => since % 2 === 0).length,
        );
        expect([items.length, items.first?.since]).toEqual([
          list.filter((since) => since % 2 === 1).length,
          list.find((since) => since % 2 === 1),
        ]);
      }),
      { numRuns: 10 },
    );
  });
});

describe("the line of a destination", () => {
  it("counts the messages that go before a message: by the teams' turns, then priority, then arrival", () => {
    const line = new WaitingLine();
    for (let at = 0; at < 10; at += 1) line.add(message(at));
    for (let at = 0; at < 3; at += 1) line.add(message(at, "b"));
    line.add(message(100, "a", "high"));
    expect(line.ahead(message(4))).toBe(4 + 1 + 3);
    expect(line.ahead(message(0))).toBe(0 + 1 + 2);
    expect(line.ahead(message(100, "a", "high"))).toBe(1);
    expect(line.ahead(message(50, "c"))).toBe(2);
    line.remove(message(100, "a", "high"));
    for (let at = 0; at < 3; at += 1) line.remove(message(at, "b"));
    expect(line.ahead(message(4))).toBe(4);
  });
});

describe("a message that is given back", () => {
  it("is asked to come back at once if no message goes before it, else within five minutes, spread evenly", () => {
    const forecast = new TurnForecast(WAIT);
    const roomAt = (since: number) => forecast.promiseTurn(message(since), 0).roomAt;
    expect(roomAt(0)).toBe(0);
    const times = Array.from({ length: 5_000 }, (_, at) => roomAt(at + 1));
    const late = times.slice(1_000);
    expect(Math.max(...times)).toBeLessThanOrEqual(300 * SECOND);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(150 * SECOND);
    const perTenSeconds = Map.groupBy(late, (at) => Math.floor(at / (10 * SECOND)));
    for (const [, some] of perTenSeconds) expect(some.length).toBeLessThan(400);
  });

  it("is not kept in memory, only its turn, and the turn counts until it ends", () => {
    const forecast = new TurnForecast(WAIT);
    const one = message(1);
    const { leave } = forecast.promiseTurn(one, 0);
    one.since = 5;
    for (let since = 2; since < 50; since += 1) forecast.promiseTurn(message(since), 0);
    const isFar = () => forecast.isFarBefore(message(0), message(49.5));
    const last = forecast.promiseTurn(message(49), 0);
    expect(isFar()).toBe(true);
    leave();
    expect(isFar()).toBe(false);
    last.leave();
  });

  it("keeps its turn until it comes back, at most two minutes after there was room; the number of turns is limited", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const leave = vi.fn<() => void>();
    const promised = new PromisedTurns(2);
    const turn = { since: 0, roomAt: SECOND, leave };
    for (const key of ["a", "b", "c"]) promised.keep(key, turn);
    expect([promised.size, promised.find("a"), promised.find("b")]).toEqual([2, undefined, turn]);
    expect(promised.take("b")).toBe(turn);
    expect(leave).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(121 * SECOND);
    expect(promised.find("c")).toBeUndefined();
    promised.keep("d", { ...turn, roomAt: 122 * SECOND });
    expect(promised.size).toBe(1);
    vi.useRealTimers();
  });
});
