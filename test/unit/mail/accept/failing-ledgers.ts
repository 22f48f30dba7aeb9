// Makes ledgers whose methods fail in given ways, around the real ones.
import type { Env } from "../../../../src/env.ts";
import { bindings } from "../../../support/api.ts";

/**
 * The fate of each call of a method. `failed`: the call does nothing. `lost`: it does its work,
 * but its answer is lost. `overloaded`: the platform refuses it.
 */
type Fate = "lost" | "failed" | "overloaded";
export type Method = (...args: unknown[]) => Promise<unknown>;

/** Returns real ledgers in which some methods fail. `called`: gets the name of each called method. */
export function ledgersWith(
  fates: Readonly<Record<string, Fate | Method>>,
  called: string[] = [],
): Partial<Env> {
  const getByName = (name: string): object =>
    new Proxy(bindings.TEAM_LEDGER.getByName(name) as unknown as Record<string, Method>, {
      get(ledger, property) {
        const fate = fates[String(property)];
        if (typeof fate === "function") return fate;
        return async (...args: unknown[]) => {
          called.push(String(property));
          if (fate === "overloaded") throw overload();
          if (fate === "failed") throw new Error("Network connection lost");
          const answer = await ledger[String(property)]!(...args);
          if (fate === "lost") throw new Error("Network connection lost");
          return answer;
        };
      },
    });
  return { TEAM_LEDGER: { getByName } as unknown as Env["TEAM_LEDGER"] };
}

/** Returns the error that the platform throws for a call to an object with too many calls. */
export function overload(): Error {
  const words = "Durable Object is overloaded. Too many requests queued.";
  return Object.assign(new Error(words), { overloaded: true, retryable: false });
}
