// Gets every Durable Object of the service. The deployment's jurisdiction is part of an object's
// id. Only this file adds the jurisdiction, because a call without it would reach a second, empty
// object with the same name (docs/near-its-users.md).
import type { Env, ObjectInterfaces } from "./env.ts";
import type { Namespace, Stub } from "./namespace.ts";
import type { Region } from "./regions.ts";

type Placed = Pick<Env, "JURISDICTION">;

/**
 * Returns the jurisdiction within which all data of the deployment stays. Null: the deployment has
 * no jurisdiction.
 */
export function jurisdictionOf({ JURISDICTION }: Placed): "eu" | null {
  return JURISDICTION === "eu" ? "eu" : null;
}

/** Returns the object with this name. `region`: where the first call makes the object. */
export function objectOf<Binding extends keyof ObjectInterfaces>(
  env: Pick<Env, Binding> & Placed,
  binding: Binding,
  name: string,
  region: Region | null = null,
): Stub<ObjectInterfaces[Binding]> {
  const everywhere = env[binding] as Namespace<ObjectInterfaces[Binding]>;
  const namespace = jurisdictionOf(env) === "eu" ? everywhere.jurisdiction("eu") : everywhere;
  return region === null
    ? namespace.getByName(name)
    : namespace.getByName(name, { locationHint: region });
}
