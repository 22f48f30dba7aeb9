// The variables of a request: the middleware fill them one after another, and the handler at the
// end reads them.
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
    /** Undefined: the token was not compared yet. */
    isGateway: boolean | undefined;
  };
}
