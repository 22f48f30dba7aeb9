// Tests one page of a replay (src/resources/webhooks/replay/replay-page.ts): its batches, and what
// it leaves out.
import { beforeEach, describe, expect, it } from "vitest";
import { HOUR_MS as HOUR, MINUTE_MS as MINUTE } from "../../../../src/limits.ts";
import type { Team } from "../../../../src/endpoint.ts";
import { newId } from "../../../../src/lib/ids.ts";
import { positionOf } from "../../../../src/resources/events/event-window.ts";
import { EVENT_TYPES } from "../../../../src/rpc/event-types.ts";
import { readReplayPage } from "../../../../src/resources/webhooks/replay/replay-page.ts";
import { type Replay } from "../../../../src/rpc/replay-calls.ts";
import { bindings, busyTeam, type TestTeam } from "../../../support/api.ts";
import { FakeReceiver } from "../../../support/fakes/fake-receiver.ts";
import { numbered } from "../../../support/shard-bindings.ts";
import { writePast } from "../events/past-events.ts";

let team: TestTeam;
let now: number;

beforeEach(async () => {
  new FakeReceiver().install();
  team = await busyTeam();
  now = Date.now();
});

const past = (count: number, from = now - MINUTE) => writePast(team, count, from);

describe("a page of a replay", () => {
  const read = async (replay: Replay, at = now) => {
    const asked: Team = { ...(await numbered(team.id)), eventRetentionDays: 3 };
    return readReplayPage(bindings, asked, "wh_1", replay, at);
  };
  const wish = (start: number): Replay => ({
    id: newId("rpl"),
    types: EVENT_TYPES,
    position: positionOf({ start, end: now }, null, 30, now),
  });

  it("has the same batches when it is read again, so that a crash repeats none", async () => {
    await past(150);
    const asked = wish(now - HOUR);
    const pages = await Promise.all([1, 2].map((offset) => read(asked, now + offset * MINUTE)));
    const [first, second] = pages.map(({ batches }) => batches.map(({ id }) => id));
    expect(first).toEqual(second);
    const [place, again] = pages.map(({ next }) => next && [next.start, next.at, next.id]);
    expect(place).toEqual(again);
    expect(place).not.toBeNull();
    const other = await read(wish(now - HOUR));
    expect(other.batches.map(({ id }) => id)).not.toEqual(first);
  });

  it("leaves out events that have left the retention since the replay was asked for", async () => {
    const kept = await past(1);
    await past(1, now - 4 * 24 * HOUR);
    const { batches, next } = await read(wish(now - 20 * 24 * HOUR));
    expect(batches.map(({ eventCount }) => eventCount)).toEqual([1]);
    expect(batches[0]?.body).toContain(kept[0]?.id);
    expect(next).toBeNull();
  });
});
