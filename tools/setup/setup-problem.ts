// A reason why a command stops, as one line with the operator's remedy. Any other error is a bug of
// the program.
export class SetupProblem extends Error {
  /** The remedy, such as `run npx wrangler login`. It is empty if the text contains the remedy. */
  readonly mend: string;

  constructor(message: string, mend = "") {
    super(message);
    this.mend = mend;
  }
}

/**
 * Thrown if Cloudflare, the DNS API or the worker refused a call or did not answer it. A dry run
 * prints the problem and continues without the answer.
 */
export class CallProblem extends SetupProblem {}
