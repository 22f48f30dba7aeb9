// Moves a team's history to another shard while its mail flows (docs/scaling.md §Moving a team). First everything is copied, then the team's row
// names the new shard and the former one. Isolates learn of that within a minute, and an invocation that began before may take a quarter of an hour,
// so for a while some still write to the former shard: it is copied again until none of them can be left, and only then is it asked no more. Its rows
// stay there until retention drops their days.
import { shardDatabase } from "../../db/client.ts";
import type { Env } from "../../env.ts";
import { CREDENTIAL_CACHE_MS, DAY_MS } from "../../limits.ts";
import { refuse } from "../../refusal.ts";
import { forgetCredentials } from "../api-keys/credentials.ts";
import { forgetTeam } from "../teams/cache.ts";
import { beginMove, endMove, getTeam, type TeamRow } from "../teams/store.ts";
import { type Copied, copySome, firstPlace, formatPlace, parsePlace, type Place } from "./copy.ts";

/** The longest that a consumer or an alarm may run, a queue's or an object's. */
const LONGEST_INVOCATION_MS = 15 * 60_000;
const SLACK_MS = 4 * 60_000;
/** After so long everybody that writes for the team knows where to. */
const SETTLED_MS = CREDENTIAL_CACHE_MS + LONGEST_INVOCATION_MS + SLACK_MS;

/** `copy` and `final` go over everything, `recent` and `catch_up` over the last day or two. The first two come before the switch. */
const STAGES = ["copy", "recent", "catch_up", "final"] as const;
type Stage = (typeof STAGES)[number];

interface Cursor {
  readonly stage: Stage;
  /** When its pass began, Unix milliseconds. */
  readonly startedAt: number;
  readonly since: number;
  readonly place: Place;
}

export interface Progress {
  readonly state: "copying" | "catching_up" | "settling" | "moved";
  readonly from: number | null;
  readonly to: number;
  readonly copied: Pick<Copied, "messages" | "events">;
  /** What the next call names as `after`; null while settling, and at the end. */
  readonly next: string | null;
  /** Unix milliseconds; null before the switch, and at the end. */
  readonly settlesAt: number | null;
}

interface Move {
  readonly from: number;
  readonly to: number;
  /** When the team's row was switched; null: it is not yet. */
  readonly switchedAt: number | null;
}

const NOTHING = { messages: 0, events: 0 };

/** Does a piece of the move and says how to go on. Whatever was broken off is taken up again by a call without `after`. Throws `invalid` and `not_found`. */
export async function moveOn(env: Env, teamId: string, to: number, after: string | null, now: number): Promise<Progress> {
  const team = await getTeam(env.DB, teamId);
  const move = moveOf(team, to);
  if (move === null) return { state: "moved", from: null, to, copied: NOTHING, next: null, settlesAt: null };
  const cursor = cursorOf(move, after, now);
  const { next, ...copied } = await copySome(
    { teamId, source: shardDatabase(env, move.from), target: shardDatabase(env, move.to) },
    cursor.place,
    cursor.since,
    now,
  );
  if (next) return progress(move, copied, { ...cursor, place: next });
  return endOf(cursor.stage, env, teamId, move, { copied, cursor, now });
}

/** Null: there is nothing to move. */
function moveOf({ historyShard: current, formerShard: former, historyMovedAt }: TeamRow, to: number): Move | null {
  if (former === null) return current === to ? null : { from: current, to, switchedAt: null };
  if (current === to) return { from: former, to, switchedAt: historyMovedAt ?? 0 };
  throw refuse("invalid", { errors: { shard: [`the team is being moved from shard ${former} to ${current}: finish that first`] } });
}

/** Where a pass goes on. A cursor that does not fit the team's row was overtaken by another call: what the row says is begun. */
function cursorOf({ switchedAt }: Move, after: string | null, now: number): Cursor {
  const given = after === null ? undefined : parseCursor(after);
  if (after !== null && !given) throw refuse("invalid", { errors: { after: ["is not a cursor of this endpoint"] } });
  if (switchedAt === null) return given && isBeforeSwitch(given.stage) ? given : begin("copy", now, 0);
  const settlesAt = switchedAt + SETTLED_MS;
  if (given?.stage === "catch_up" || (given?.stage === "final" && given.startedAt >= settlesAt)) return given;
  return now >= settlesAt ? begin("final", now, 0) : begin("catch_up", now, switchedAt - DAY_MS);
}

async function endOf(
  stage: Stage,
  env: Env,
  teamId: string,
  move: Move,
  { copied, cursor, now }: { copied: Progress["copied"]; cursor: Cursor; now: number },
): Promise<Progress> {
  switch (stage) {
    case "copy":
      return progress(move, copied, begin("recent", now, cursor.startedAt - DAY_MS));
    case "recent": {
      const switchedAt = Date.now();
      await beginMove(env.DB, teamId, move, switchedAt);
      forgetCredentials(teamId);
      forgetTeam(teamId);
      return progress({ ...move, switchedAt }, copied, begin("catch_up", switchedAt, switchedAt - DAY_MS));
    }
    case "catch_up": {
      const isSettled = now >= (move.switchedAt ?? now) + SETTLED_MS;
      return progress(move, copied, isSettled ? begin("final", now, 0) : null);
    }
    case "final":
      await endMove(env.DB, teamId, move);
      forgetCredentials(teamId);
      forgetTeam(teamId);
      return { state: "moved", from: move.from, to: move.to, copied, next: null, settlesAt: null };
  }
}

function progress({ from, to, switchedAt }: Move, copied: Progress["copied"], next: Cursor | null): Progress {
  const state = next === null ? "settling" : isBeforeSwitch(next.stage) ? "copying" : "catching_up";
  const settlesAt = switchedAt === null ? null : switchedAt + SETTLED_MS;
  return { state, from, to, copied, next: next && formatCursor(next), settlesAt };
}

function isBeforeSwitch(stage: Stage): boolean {
  return stage === "copy" || stage === "recent";
}

function begin(stage: Stage, now: number, since: number): Cursor {
  return { stage, startedAt: now, since: Math.max(since, 0), place: firstPlace(now) };
}

function formatCursor({ stage, startedAt, since, place }: Cursor): string {
  return `${stage}.${startedAt}.${since}.${formatPlace(place)}`;
}

function parseCursor(text: string): Cursor | undefined {
  const [, name, startedAt, since, rest = ""] = /^([a-z_]+)\.(\d{1,14})\.(\d{1,14})\.(.+)$/.exec(text) ?? [];
  const stage = STAGES.find((one) => one === name);
  const place = parsePlace(rest);
  return stage && place && { stage, startedAt: Number(startedAt), since: Number(since), place };
}
