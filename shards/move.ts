// `npm run shard -- list` and `move`: the operator API's shards, called until a team is moved (docs/scaling.md §Moving a team). Whatever ends this in
// between, the worker goes on with the team as it is, and the same command takes the move up again.
import { setTimeout as wait } from "node:timers/promises";
import { call, NoAnswer, wordsOf } from "../setup/json-call.ts";
import { SetupProblem } from "../setup/problem.ts";

export interface Service {
  readonly url: string;
  readonly adminToken: string;
  readonly say: (line: string) => void;
}

interface HistoryShard {
  readonly shard: number;
  readonly teams: number;
  readonly takes_new_teams: boolean;
}

interface Progress {
  readonly state: "copying" | "catching_up" | "settling" | "moved";
  readonly from: number | null;
  readonly copied: { readonly messages: number; readonly events: number };
  readonly next: string | null;
  readonly settles_at: string | null;
}

/** A piece of a big team's history may take its time. */
const PIECE_TIMEOUT_MS = 120_000;
const CATCH_UP_EVERY_MS = 15_000;
const ATTEMPTS = 5;
const ATTEMPT_EVERY_MS = 2_000;

export async function listShards(service: Service): Promise<void> {
  const { shards } = await ask<{ shards: HistoryShard[] }>(service, "GET", "/admin/history-shards");
  for (const { shard, teams, takes_new_teams: isOpen } of shards)
    service.say(`shard ${String(shard).padEnd(4)} ${String(teams).padStart(7)} teams${isOpen ? ", takes new ones" : ""}`);
}

/** Until the team is moved: a quarter of an hour at the least. `catchUpEveryMs`: how long a pause is while it settles. */
export async function moveTeam(service: Service, teamId: string, shard: number, catchUpEveryMs = CATCH_UP_EVERY_MS): Promise<void> {
  const copied = { messages: 0, events: 0 };
  let said = "";
  for (let after: string | null = null; ;) {
    const path = `/admin/teams/${encodeURIComponent(teamId)}/history-shard`;
    const progress: Progress = await ask<Progress>(service, "POST", path, { shard, after });
    if (progress.from === null) return service.say(`${teamId} is on shard ${shard} already`);
    copied.messages += progress.copied.messages;
    copied.events += progress.copied.events;
    if (progress.state !== said) service.say(`${wordsFor(progress, shard)} (${copied.messages} messages, ${copied.events} events)`);
    said = progress.state;
    if (progress.state === "moved") return;
    if (progress.state === "settling") await wait(catchUpEveryMs);
    after = progress.next;
  }
}

function wordsFor({ state, from, settles_at: settlesAt }: Progress, shard: number): string {
  switch (state) {
    case "copying":
      return `copying from shard ${from} to ${shard}`;
    case "catching_up":
      return `the team is on shard ${shard}; copying what came meanwhile`;
    case "settling":
      return `until ${settlesAt} somebody may still write to shard ${from}, which is watched; this may be broken off and run again`;
    case "moved":
      return `moved: shard ${from} is not asked any more`;
  }
}

async function ask<Body>({ url, adminToken }: Service, method: string, path: string, body?: unknown): Promise<Body> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await call(method, `${url}${path}`, { token: adminToken, body, timeoutMs: PIECE_TIMEOUT_MS }).catch((error: unknown) => {
      if (error instanceof NoAnswer) return error;
      throw error;
    });
    if (!(answer instanceof NoAnswer) && answer.status === 200) return answer.json as Body;
    const isPassing = answer instanceof NoAnswer || answer.status >= 500;
    const words = answer instanceof NoAnswer ? answer.message : wordsOf(answer);
    if (!isPassing || attempt === ATTEMPTS)
      throw new SetupProblem(`${method} ${url}${path}: ${words}`, "run this again: what is copied is kept");
    await wait(attempt * ATTEMPT_EVERY_MS);
  }
}
