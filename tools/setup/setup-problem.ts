// A reason to stop, in one line, with the operator's remedy. Anything else that is thrown is a
// fault of the program.
export class SetupProblem extends Error {
  /** The remedy, as an instruction: `run npx wrangler login`. Empty if the message contains it. */
  readonly mend: string;

  constructor(message: string, mend = "") {
    super(message);
    this.mend = mend;
  }
}

/**
 * A call to Cloudflare, the DNS API or the worker was refused or not answered. A dry run prints the
 * problem and continues without the result.
 */
export class CallProblem extends SetupProblem {}
