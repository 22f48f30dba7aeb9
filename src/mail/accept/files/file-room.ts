// Bounds the memory that sends with files by URL hold in one isolate, because each of them may wait
// long for a stranger's server. A team gets only a share, so that its slow servers leave room for
// other teams. The room counts bytes instead of queueing callers: the platform ends a request whose
// caller is gone, and such a request would never leave a queue. Pure.
import {
  ATTACHED_FILES_BYTES,
  FILES_MEMORY_BYTES,
  TEAM_FILES_MEMORY_BYTES,
  ATTACHED_FILES_MS,
  MINUTE_MS,
} from "../../../limits.ts";

/**
 * The memory that a send takes besides its body and files. It also limits the number of sends that
 * wait.
 */
const SEND_BYTES = 64 * 1024;
/** A send that has not left by then has ended without leaving. */
const LONGEST_STAY_MS = ATTACHED_FILES_MS + MINUTE_MS;

interface Held {
  readonly teamId: string;
  readonly until: number;
  /** The memory of the send without its files. */
  readonly base: number;
  files: number;
}

/** The room that one send holds. */
export interface TakenRoom {
  /**
   * Changes the number of bytes that the send holds for its files. False: there is no room for them
   * now, and the send holds as many bytes as before.
   */
  readonly resize: (files: number, now: number) => boolean;
  readonly leave: () => void;
}

interface RoomSizes {
  readonly total: number;
  readonly perTeam: number;
  /** The room that all sends together leave free for the files of one of them. */
  readonly largestFiles: number;
}

export class FileRoom {
  readonly #sizes: RoomSizes;
  readonly #held = new Set<Held>();

  constructor(
    sizes: RoomSizes = {
      total: FILES_MEMORY_BYTES,
      perTeam: TEAM_FILES_MEMORY_BYTES,
      largestFiles: ATTACHED_FILES_BYTES,
    },
  ) {
    this.#sizes = sizes;
  }

  /** Takes room for a send with a body of this many bytes. Undefined: there is no room now. */
  enter(teamId: string, bodyBytes: number, now: number): TakenRoom | undefined {
    const base = SEND_BYTES + bodyBytes;
    const held: Held = { teamId, until: now + LONGEST_STAY_MS, base, files: 0 };
    if (!this.#fits(held, 0, now)) return undefined;
    this.#held.add(held);
    return {
      resize: (files, at) => {
        const isGiven = files <= held.files || this.#fits(held, files, at);
        if (isGiven) held.files = files;
        return isGiven;
      },
      leave: () => void this.#held.delete(held),
    };
  }

  #fits(held: Held, files: number, now: number): boolean {
    for (const other of this.#held) if (other.until <= now) this.#held.delete(other);
    const others = [...this.#held].filter((other) => other !== held);
    const { total, perTeam, largestFiles } = this.#sizes;
    const fitsInto = (size: number, among: readonly Held[]): boolean => {
      const bases = among.reduce((sum, { base }) => sum + base, held.base);
      const all = among.reduce((sum, other) => sum + other.files, bases + files);
      return all <= size && bases + largestFiles <= size;
    };
    const ofTeam = others.filter(({ teamId }) => teamId === held.teamId);
    return fitsInto(total, others) && fitsInto(perTeam, ofTeam);
  }
}
