// Tests the shares of sends with files by URL: memory (src/mail/accept/files/file-room.ts) and
// requests (src/mail/accept/files/file-requests.ts).
import { fc } from "../../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import {
  ATTACHED_FILE_REQUESTS,
  ATTACHMENTS_PER_SEND,
  MINUTE_MS,
} from "../../../../../src/limits.ts";
import { FileRequests } from "../../../../../src/mail/accept/files/file-requests.ts";
import { FileRoom, type TakenRoom } from "../../../../../src/mail/accept/files/file-room.ts";

const [TOTAL, SHARE, LARGEST] = [10_000_000, 4_000_000, 1_500_000];
const SIZES = { total: TOTAL, perTeam: SHARE, largestFiles: LARGEST };
/** The memory of a send besides its body and files. */
const BASE = 64 * 1024;

describe("the room for files", () => {
  it("never holds more than its total, nor a team more than its share, and no sends block each other", () => {
    const team = fc.constantFrom("a", "b", "c", "d");
    const bytes = fc.nat(5_000_000);
    const step = fc.oneof(
      fc.record({ kind: fc.constant("enter" as const), team, bytes }),
      fc.record({ kind: fc.constant("resize" as const), at: fc.nat(9), bytes }),
      fc.record({ kind: fc.constant("leave" as const), at: fc.nat(9) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const room = new FileRoom(SIZES);
        const held: { team: string; body: number; files: number; room: TakenRoom }[] = [];
        for (const one of steps) {
          if (one.kind === "enter") {
            const entered = room.enter(one.team, one.bytes, 0);
            const body = BASE + one.bytes;
            if (entered) held.push({ team: one.team, body, files: 0, room: entered });
          } else if (one.kind === "resize") {
            const some = held[one.at];
            if (some?.room.resize(one.bytes, 0)) some.files = one.bytes;
          } else held.splice(one.at, 1)[0]?.room.leave();
          const sum = (among: typeof held) =>
            among.reduce((total, { body, files }) => total + body + files, 0);
          expect(sum(held)).toBeLessThanOrEqual(TOTAL);
          for (const name of ["a", "b", "c", "d"])
            expect(sum(held.filter((some) => some.team === name))).toBeLessThanOrEqual(SHARE);
        }
        for (const some of held) some.room.resize(0, 0);
        for (const some of held) {
          expect(some.room.resize(LARGEST, 0)).toBe(true);
          some.room.resize(0, 0);
        }
      }),
    );
  });

  it("is free again after a send left, or in time if the send never left", () => {
    const room = new FileRoom(SIZES);
    const body = SHARE - LARGEST - BASE;
    room.enter("a", body, 0)!.leave();
    expect(room.enter("a", body, 0)).toBeDefined();
    expect(room.enter("a", 0, MINUTE_MS)).toBeUndefined();
    expect(room.enter("b", body, MINUTE_MS)).toBeDefined();
    expect(room.enter("a", body, 2 * MINUTE_MS)).toBeDefined();
  });
});

describe("the requests for files", () => {
  it("of a team are at most a burst and twice its rate, and of a send at most forty", () => {
    const sends = fc.array(
      fc.record({
        files: fc.integer({ min: 1, max: 20 }),
        redirects: fc.nat(60),
        after: fc.nat(3_000),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(sends, fc.integer({ min: 1, max: 30 }), (all, requestsPerSecond) => {
        const requests = new FileRequests();
        let [made, now] = [0, 0];
        for (const { files, redirects, after } of all) {
          now += after;
          const ofSend = requests.begin({ id: "a", limits: { requestsPerSecond } }, files, now);
          let ofThis = 0;
          for (let ask = 0; ask < files + redirects; ask += 1)
            if (ofSend?.take(now) === "taken") ofThis += 1;
          expect(ofThis).toBeLessThanOrEqual(ATTACHED_FILE_REQUESTS);
          made += ofThis;
          const burst = Math.max(2 * ATTACHMENTS_PER_SEND, 4 * requestsPerSecond);
          expect(made).toBeLessThanOrEqual(burst + (2 * requestsPerSecond * now) / 1_000);
        }
      }),
    );
  });
});
