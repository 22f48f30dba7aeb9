// Measures the isolates of a workerd through its inspector.
import { InspectorSession } from "./inspector-session.ts";

/** The bytes of an isolate's live objects. */
export interface IsolateBytes {
  /** V8's heap. */
  readonly heap: number;
  /** The memory of ArrayBuffers. V8's heap limit does not count it. */
  readonly buffers: number;
}

/** The members of `Runtime.getHeapUsage` that this file reads. */
interface HeapUsage {
  readonly usedSize: number;
  readonly backingStorageSize: number;
}

/**
 * Number of garbage collections. One is not enough: it finds unreachable objects that only a later
 * collection releases.
 */
const COLLECTIONS = 3;

export class IsolateInspector {
  readonly #url: URL;
  readonly #isolate: string;
  readonly #stir: () => Promise<unknown>;

  /**
   * `url` is the address of workerd's inspector. `isolate` is the isolate's id there. `stir` makes
   * any request to that isolate, because workerd collects garbage only during a request.
   */
  constructor(url: URL, isolate: string, stir: () => Promise<unknown>) {
    this.#url = url;
    this.#isolate = isolate;
    this.#stir = stir;
  }

  async bytesHeld(): Promise<IsolateBytes> {
    const session = await InspectorSession.open(this.#addressOf(this.#isolate));
    try {
      for (let run = 0; run < COLLECTIONS; run += 1)
        await Promise.all([session.ask("HeapProfiler.collectGarbage"), this.#stir()]);
      const usage = (await session.ask("Runtime.getHeapUsage")) as HeapUsage;
      return { heap: usage.usedSize, buffers: usage.backingStorageSize };
    } finally {
      await session.close();
    }
  }

  #addressOf(path: string): URL {
    return new URL(`/${path}`, this.#url);
  }
}
