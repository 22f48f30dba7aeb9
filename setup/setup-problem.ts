// A reason to stop, said in one line, with what the operator can do about it. Everything else that
// is thrown is a fault of the program.
export class SetupProblem extends Error {
  /** What to do, as an order: `run npx wrangler login`. Empty: the message says it. */
  readonly mend: string;

  constructor(message: string, mend = "") {
    super(message);
    this.mend = mend;
  }
}

/**
 * A call to Cloudflare, the DNS API or the worker that was refused or not answered. A dry run says
 * so, and goes on without what the call would have told it.
 */
export class CallProblem extends SetupProblem {}
