// The types by which Durable Objects are called: by name, with the methods of the interface that
// their class implements. Env names interfaces instead of classes, so that code below a class does
// not import the class. object-of.ts is the only place that gets an object.
import type { Region } from "./regions.ts";

/** A Durable Object as its callers see it. Every method returns a promise, because of RPC. */
export type Stub<Interface> = {
  readonly [Method in keyof Interface]: Interface[Method] extends (
    ...args: infer Args
  ) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/** The part of DurableObjectNamespace that the service uses: getting objects by name. */
export interface Namespace<Interface> {
  getByName(name: string, options?: { readonly locationHint?: Region }): Stub<Interface>;
  /** The namespace of the objects that run and store only within the jurisdiction. */
  jurisdiction(name: "eu"): Namespace<Interface>;
}
