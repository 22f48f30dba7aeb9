// Reads a request's body in chunks. The body ends early if the client disconnects or pauses for too
// long, or if cutOff() is called.
import type { IncomingMessage } from "node:http";

export class RequestBody implements AsyncIterator<Buffer> {
  /** The reason why the body ended early. Null: it did not end early. */
  cut: "left" | "cut off" | null = null;
  readonly #request: IncomingMessage;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #stallMs: number;
  #endNext: ((end: null) => void) | null = null;

  constructor(request: IncomingMessage, stallMs: number) {
    this.#request = request;
    this.#chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    this.#stallMs = stallMs;
  }

  cutOff(): void {
    this.cut ??= "cut off";
    this.#endNext?.(null);
  }

  /** Stops reading, so that the rest of the request can be dropped. */
  stop(): void {
    void this.#chunks.return?.();
  }

  async next(): Promise<IteratorResult<Buffer>> {
    const { promise, resolve } = Promise.withResolvers<IteratorResult<Buffer> | null>();
    this.#endNext = resolve;
    if (this.cut !== null) resolve(null);
    const timer = setTimeout(() => this.#request.destroy(), this.#stallMs);
    this.#chunks.next().then(resolve, () => {
      this.cut ??= "left";
      resolve(null);
    });
    const next = await promise;
    clearTimeout(timer);
    return next ?? { done: true, value: undefined };
  }
}
