// A reason to stop, as one line with the operator's remedy. Any other error is a bug in the
// program.
export class SetupProblem extends Error {
  /**
   * The remedy as an instruction: `run npx wrangler login`. It is empty if the message contains the
   * remedy.
   */
  readonly mend: string;

  constructor(message: string, mend = "") {
    super(message);
    this.mend = mend;
  }
}

/**
 * Cloudflare, the DNS API or the worker refused or did not answer a call. A dry run prints the
 * problem and continues without the result.
 */
export class CallProblem extends SetupProblem {}
