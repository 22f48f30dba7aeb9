// What the way in knows about a request so far: the variables that its middleware fill, in order,
// for the handler at the end.
import type { Caller, NoteHeader, ListPage } from "../endpoint.ts";
import type { Env } from "../env.ts";
import type { RateState } from "../contracts/ledger-contract.ts";

export interface ApiContext {
  readonly Bindings: Env;
  readonly Variables: {
    requestId: string;
    now: number;
    caller: Caller;
    rate: RateState;
    page: ListPage;
    notes: Partial<Record<NoteHeader, string>>;
    /** Undefined: nobody has asked yet. */
    isGateway: boolean | undefined;
  };
}
