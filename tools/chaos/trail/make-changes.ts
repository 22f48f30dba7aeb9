// Changes what a team manages during a storm: a template, a webhook, an API key, the team's
// settings, and suppressions. A script repeats each change until the change is certain, and makes
// it only once. So the audit trail must have exactly one entry for it (check-trail.ts).
import { setTimeout as sleep } from "node:timers/promises";
import { Chance } from "../chance.ts";
import type { ChaosTarget } from "../clients.ts";
import type { ChangeMaker, MadeChange, StoredState } from "./change-maker.ts";
import { changeKey, changeSettings, changeWebhook } from "./settings-scripts.ts";
import { changeTemplate } from "./template-script.ts";
import { importSuppressions, suppressAddresses } from "./suppression-scripts.ts";

type Script = (maker: ChangeMaker) => Promise<void>;

interface ChangeAnswer {
  /** 0 means that the connection was lost. */
  readonly status: number;
  readonly requestId: string | null;
  readonly text: string;
}

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
      const { status, text } = await call(target, "GET", path);
      if (status === 200) return JSON.parse(text) as StoredState;
      if (status === 404) return null;
      await sleep(PAUSE_MS);
    }
  };
  return {
    tag,
    chance,
    read,
    list: async (path) => ((await read(path))?.["data"] ?? []) as StoredState[],
    async make(operation, { method, path, body }, findTarget) {
      for (;;) {
        const answer = await call(target, method, path, body);
        const isMade = answer.status >= 200 && answer.status < 300;
        const changed = await findTarget(isMade ? answer.text : null);
        if (changed !== null) {
          made.push({ operation, target: changed, requestId: isMade ? answer.requestId : null });
          return changed;
        }
        if (isMade || isRefusal(answer.status))
          throw new Error(`${method} ${path}: ${answer.status} ${answer.text}, without a change`);
        await sleep(PAUSE_MS);
      }
    },
    async repeat({ method, path, body }) {
      await call(target, method, path, body);
    },
  };
}

/** Tells whether the service refused the request and would refuse it again. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

async function call(
  target: ChaosTarget,
  method: string,
  path: string,
  body?: object | string,
): Promise<ChangeAnswer> {
  while (!target.isUp()) await sleep(PAUSE_MS);
  const isText = typeof body === "string";
  try {
    const response = await fetch(target.origin + path, {
      method,
      headers: {
        Authorization: `Bearer ${target.apiKey}`,
        ...(body !== undefined && { "Content-Type": isText ? "text/csv" : "application/json" }),
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, requestId: response.headers.get("X-Request-Id"), text };
  } catch (error) {
    return { status: 0, requestId: null, text: String(error) };
  }
}
