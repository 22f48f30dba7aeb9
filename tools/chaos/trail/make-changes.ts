// Changes what a team manages during a storm: a template, a webhook, an API key, the team's
// settings, and suppressions. A script repeats each change until the change is certain, and makes
// it only once. So the audit trail must have exactly one entry for it (check-trail.ts).
import { setTimeout as sleep } from "node:timers/promises";
import { Chance } from "../chance.ts";
import { type ApiAnswer, callOnce, type ChaosTarget, isRefusal } from "../clients.ts";
import type { ChangeMaker, ChangeRequest, MadeChange, StoredState } from "./change-maker.ts";
import { changeKey, changeSettings, changeWebhook } from "./settings-scripts.ts";
import { changeTemplate } from "./template-script.ts";
import { importSuppressions, suppressAddresses } from "./suppression-scripts.ts";

type Script = (maker: ChangeMaker) => Promise<void>;

const SCRIPTS: readonly Script[] = [
  changeTemplate,
  changeWebhook,
  changeKey,
  changeSettings,
  suppressAddresses,
  importSuppressions,
];
const SCRIPTS_A_ROUND = 4;
const PAUSE_MS = 100;

/** Runs some of the scripts concurrently. Adds each change to `made` as soon as it is certain. */
export async function makeChanges(
  target: ChaosTarget,
  { seed, round }: { readonly seed: number; readonly round: number },
  made: MadeChange[],
): Promise<void> {
  const chance = new Chance(`${seed}/${round}/changes`);
  const maker = makerOf(target, `s${seed}r${round}`, chance, made);
  const scripts = chance.some("script", SCRIPTS, SCRIPTS_A_ROUND);
  await Promise.all(scripts.map((script) => script(maker)));
}

function makerOf(
  target: ChaosTarget,
  tag: string,
  chance: Chance,
  made: MadeChange[],
): ChangeMaker {
  const read = async (path: string): Promise<StoredState | null> => {
    for (;;) {
      const { status, text } = await callWhenUp(target, { method: "GET", path });
      if (status === 200) return JSON.parse(text) as StoredState;
      if (status === 404) return null;
      await sleep(PAUSE_MS);
    }
  };
  const make: ChangeMaker["make"] = async (operation, request, findTarget) => {
    for (;;) {
      const { status, requestId, text } = await callWhenUp(target, request);
      const isMade = status >= 200 && status < 300;
      const changed = await findTarget(isMade ? text : null);
      if (changed !== null) {
        made.push({ operation, target: changed, requestId: isMade ? requestId : null });
        return changed;
      }
      if (isMade || isRefusal(status))
        throw new Error(`${request.method} ${request.path}: ${status} ${text}, without a change`);
      await sleep(PAUSE_MS);
    }
  };
  return {
    tag,
    chance,
    read,
    make,
    create: (operation, path, body) =>
      make(operation, { method: "POST", path, body }, async () => {
        const rows = ((await read(`${path}?limit=100`))?.["data"] ?? []) as StoredState[];
        const row = rows.find(({ name }) => name === body.name);
        return (row?.["id"] as string | undefined) ?? null;
      }),
    change: (operation, request, id, isMade) =>
      make(operation, request, async () => ((await isMade()) ? id : null)),
    has: async (path, member, value) => (await read(path))?.[member] === value,
    isGone: async (path) => (await read(path)) === null,
    repeat: async (request) => void (await callWhenUp(target, request)),
  };
}

async function callWhenUp(
  target: ChaosTarget,
  { method, path, body }: Omit<ChangeRequest, "method"> & { readonly method: string },
): Promise<ApiAnswer> {
  while (!target.isUp()) await sleep(PAUSE_MS);
  return callOnce(target, method, path, body);
}
