// One connection to an isolate through workerd's inspector (Chrome DevTools Protocol).

interface Message {
  readonly id?: number;
  readonly result?: object;
  readonly error?: { readonly message: string };
}

export class InspectorSession {
  readonly #socket: WebSocket;
  readonly #answers = new Map<number, (message: Message) => void>();
  readonly #opened = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  #asked = 0;

  private constructor(url: URL) {
    this.#socket = new WebSocket(url);
    this.#socket.addEventListener("open", () => this.#opened.resolve());
    this.#socket.addEventListener("close", () => this.#closed.resolve());
    this.#socket.addEventListener("message", ({ data }) =>
      this.#hear(JSON.parse(String(data)) as Message),
    );
  }

  static async open(url: URL): Promise<InspectorSession> {
    const session = new InspectorSession(url);
    await session.#unlessClosed(session.#opened.promise);
    return session;
  }

  /** Sends one request without parameters, such as `Runtime.getHeapUsage`. */
  async ask(method: string): Promise<object> {
    const { promise, resolve } = Promise.withResolvers<Message>();
    this.#asked += 1;
    this.#answers.set(this.#asked, resolve);
    this.#socket.send(JSON.stringify({ id: this.#asked, method }));
    const { result, error } = await this.#unlessClosed(promise);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  /**
   * Closes the connection. Resolves when workerd has closed it too. A new connection before that
   * time would be closed by workerd.
   */
  async close(): Promise<void> {
    this.#socket.close();
    await this.#closed.promise;
  }

  #unlessClosed<Value>(value: Promise<Value>): Promise<Value> {
    const closed = this.#closed.promise.then((): never => {
      throw new Error(`the inspector at ${this.#socket.url} closed the connection`);
    });
    return Promise.race([value, closed]);
  }

  #hear({ id, ...answer }: Message): void {
    if (id === undefined) return;
    this.#answers.get(id)?.(answer);
    this.#answers.delete(id);
  }
}
