// Makes a change only if the resource is still as the person saw it (contract.md §Preconditions).
// It reads the resource again before the change, and sends its ETag with the change. So no other
// change can come in between.
import type {
  ChangeOptions,
  RequestOptions,
} from "../../../packages/postern/src/request/api-call.ts";
import { ApiFailure } from "./failure.ts";

/**
 * The error for a resource that another request has changed. `current` is the resource that the
 * person has not seen.
 */
export class ChangedMeanwhile<Resource = unknown> extends Error {
  override readonly name = "ChangedMeanwhile";
  readonly current: Resource;

  constructor(current: Resource) {
    super("This was changed in the meantime, in another tab or by another person.");
    this.current = current;
  }
}

interface GuardedChange<Resource, Result> {
  /**
   * Reads the resource. It must pass the options to the request whose response has the resource's
   * ETag.
   */
  readonly read: (options: RequestOptions) => Promise<Resource>;
  /** Tells whether the resource is as the person saw it. */
  readonly isSeen: (current: Resource) => boolean;
  readonly write: (options: ChangeOptions) => Promise<Result>;
}

const PRECONDITION_FAILED = 412;

/**
 * Makes the change. Throws a ChangedMeanwhile if the resource has changed since the person saw it.
 */
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
