// Makes one request to the worker and collects the whole response. The code is a handler for
// undici's dispatch(), because undici's request() and its stream cost more time for each message.
import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

export interface ExchangeResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Resolves with the whole response. Rejects with undici's error, or with ETIMEDOUT if the response
 * did not end within `withinMs`. This time includes connecting.
 */
export function exchange(
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  withinMs?: number,
): Promise<ExchangeResponse> {
  return new Promise((resolve, reject) => {
    pool.dispatch(request, new Exchange(resolve, reject, withinMs));
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: ExchangeResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | null = null;
  #late: Error | null = null;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  readonly #chunks: Buffer[] = [];

  constructor(
    resolve: (answer: ExchangeResponse) => void,
    reject: (error: Error) => void,
    withinMs?: number,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = withinMs === undefined ? undefined : setTimeout(() => this.#giveUp(), withinMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#late) controller.abort(this.#late);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer);
    const [only, ...rest] = this.#chunks;
    const whole = rest.length === 0 ? only : Buffer.concat(this.#chunks);
    this.#resolve({ status: this.#status, headers: this.#headers, text: whole?.toString() ?? "" });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    clearTimeout(this.#timer);
    this.#reject(error);
  }

  #giveUp(): void {
    this.#late = Object.assign(new Error("no response in time"), { code: "ETIMEDOUT" });
    this.#controller?.abort(this.#late);
    this.#reject(this.#late);
  }
}
