// Sends the requests with which a script changes what a team manages (make-changes.ts). It repeats
// each change until the stored state shows it.
import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../chance.ts";
import { type CallResult, callOnce, type ChaosTarget, isRefusal } from "../clients.ts";

/** A change, with the data that its entry in the audit trail must have. */
export interface MadeChange {
  readonly operation: string;
  readonly target: string;
  /** Null: the change was made, but the answer was lost. */
  readonly requestId: string | null;
}

interface ChangeRequest {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object | string;
}

type StoredState = Readonly<Record<string, unknown>>;
/**
 * Reads the stored state, or the text of a good answer. Returns the target of the change if the
 * change was made, else null.
 */
type FindTarget = (answered: string | null) => Promise<string | null>;

export type ChangeMaker = ReturnType<typeof makerOf>;

const PAUSE_MS = 100;

/** `tag` is the prefix of the names of everything that the round makes. */
export function makerOf(target: ChaosTarget, tag: string, chance: Chance, made: MadeChange[]) {
  const read = (path: string) => readState(target, path);
  const make = async (operation: string, request: ChangeRequest, findTarget: FindTarget) => {
    const change = await makeOnce(target, operation, request, findTarget);
    made.push(change);
    return change.target;
  };
  return {
    tag,
    chance,
    read,
    make,
    /** Creates a resource with a name of its own in the list at `path`, and returns its id. */
    create: (operation: string, path: string, body: { readonly name: string }) =>
      make(operation, { method: "POST", path, body }, async () => {
        const rows = ((await read(`${path}?limit=100`))?.["data"] ?? []) as StoredState[];
        const row = rows.find(({ name }) => name === body.name);
        return (row?.["id"] as string | undefined) ?? null;
      }),
    /** Changes the resource with this id. `isMade` reads the stored state. */
    change: (
      operation: string,
      request: ChangeRequest,
      id: string,
      isMade: () => Promise<boolean>,
    ) => make(operation, request, async () => ((await isMade()) ? id : null)),
    /** Tells whether a member of the resource has this value. */
    has: async (path: string, member: string, value: string) =>
      (await read(path))?.[member] === value,
    isGone: async (path: string) => (await read(path)) === null,
    /** Sends a request whose change was already made, so the request changes nothing. */
    repeat: async (request: ChangeRequest) => void (await callWhenUp(target, request)),
  };
}

/** Returns null if the path has no resource. */
async function readState(target: ChaosTarget, path: string): Promise<StoredState | null> {
  for (;;) {
    const { status, text } = await callWhenUp(target, { method: "GET", path });
    if (status === 200) return JSON.parse(text) as StoredState;
    if (status === 404) return null;
    await sleep(PAUSE_MS);
  }
}

async function makeOnce(
  target: ChaosTarget,
  operation: string,
  request: ChangeRequest,
  findTarget: FindTarget,
): Promise<MadeChange> {
  for (;;) {
    const { status, requestId, text } = await callWhenUp(target, request);
    const isMade = status >= 200 && status < 300;
    const changed = await findTarget(isMade ? text : null);
    if (changed !== null)
      return { operation, target: changed, requestId: isMade ? requestId : null };
    if (isMade || isRefusal(status))
      throw new Error(`${request.method} ${request.path}: ${status} ${text}, without a change`);
    await sleep(PAUSE_MS);
  }
}

async function callWhenUp(
  target: ChaosTarget,
  { method, path, body }: Omit<ChangeRequest, "method"> & { readonly method: string },
): Promise<CallResult> {
  while (!target.isUp()) await sleep(PAUSE_MS);
  return callOnce(target, method, path, body);
}
