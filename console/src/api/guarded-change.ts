// Makes a change only if the resource is still as the person saw it (contract.md §Preconditions).
// The resource is read again before the change, and the change carries its ETag, so that nothing
// can come between.
import type {
  ChangeOptions,
  RequestOptions,
} from "../../../packages/postern/src/request/api-call.ts";
import { ApiFailure } from "./failure.ts";

/** Another change came between: `current` is what the person has not seen. */
export class ChangedMeanwhile<Resource = unknown> extends Error {
  override readonly name = "ChangedMeanwhile";
  readonly current: Resource;

  constructor(current: Resource) {
    super("This was changed in the meantime, in another tab or by another person.");
    this.current = current;
  }
}

interface GuardedChange<Resource, Result> {
  /** Passes the options to the request whose answer has the resource's ETag. */
  readonly read: (options: RequestOptions) => Promise<Resource>;
  /** Tells whether the resource is as the person saw it. */
  readonly isSeen: (current: Resource) => boolean;
  readonly write: (options: ChangeOptions) => Promise<Result>;
}

const PRECONDITION_FAILED = 412;

/** Throws a ChangedMeanwhile if another change came between. */
export async function changeGuarded<Resource, Result>(
  change: GuardedChange<Resource, Result>,
): Promise<Result> {
  const { current, ifMatch } = await readTagged(change.read);
  if (!change.isSeen(current)) throw new ChangedMeanwhile(current);
  try {
    return await change.write({ ifMatch });
  } catch (error) {
    if (error instanceof ApiFailure && error.status === PRECONDITION_FAILED)
      throw new ChangedMeanwhile((await readTagged(change.read)).current);
    throw error;
  }
}

async function readTagged<Resource>(read: GuardedChange<Resource, unknown>["read"]) {
  let ifMatch = "*";
  const current = await read({
    onResponse: ({ headers }) => {
      ifMatch = headers.get("ETag") ?? ifMatch;
    },
  });
  return { current, ifMatch };
}
