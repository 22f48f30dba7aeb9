// A Durable Object is called by its name, by the methods of the interface that its class
// implements. Env names interfaces instead of classes, so that code below a class does not import
// it.

/**
 * A Durable Object as its callers see it: every method of the interface answers with a promise,
 * since each call goes over RPC.
 */
export type Stub<Interface> = {
  readonly [Method in keyof Interface]: Interface[Method] extends (
    ...args: infer Args
  ) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/** The part of DurableObjectNamespace that the service uses: its objects have names. */
export interface Namespace<Interface> {
  getByName(name: string): Stub<Interface>;
}
