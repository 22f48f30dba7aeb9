// Limits the memory that sends with files by URL use in one isolate, because each of them may wait
// long for a server of a third party. A team gets only a share of the memory, so that its slow
// servers do not block other teams. The limit counts bytes and has no queue of callers. The
// platform ends a request whose caller is gone, and such a request would never leave a queue. Pure.
import {
  ATTACHED_FILES_BYTES,
  FILES_MEMORY_BYTES,
  TEAM_FILES_MEMORY_BYTES,
  ATTACHED_FILES_MS,
  MINUTE_MS,
} from "../../../limits.ts";

/**
 * The memory that a send takes besides its body and files. This size also limits the number of
 * sends that wait.
 */
const SEND_BYTES = 64 * 1024;
/** Time after which a send counts as ended, even if it did not call leave(). */
const LONGEST_STAY_MS = ATTACHED_FILES_MS + MINUTE_MS;

interface Held {
  readonly teamId: string;
  readonly until: number;
  /** The memory of the send without its files. */
  readonly base: number;
  files: number;
}

/** The memory that one send has reserved. */
export interface TakenRoom {
  /**
   * Changes the number of bytes that the send reserves for its files. False means that this much
   * memory is not free now, and that the send keeps its earlier number of bytes.
   */
  readonly resize: (files: number, now: number) => boolean;
  readonly leave: () => void;
}

interface RoomSizes {
  readonly total: number;
  readonly perTeam: number;
  /** The memory that must stay free of bodies, so that one send can always get its files. */
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

  /**
   * Reserves memory for a send with a body of this many bytes. Undefined means that this much
   * memory is not free now.
   */
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
