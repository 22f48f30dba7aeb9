// The exit codes (docs/command-line.md §Exit codes), and the error class that has one.

export const EXIT = {
  done: 0,
  /** The service failed, or the command found a problem. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The key is missing, unknown, or lacks the permission. */
  notPermitted: 3,
  notFound: 4,
  /** The request needs a change. */
  refused: 5,
  /** A rate limit or a quota is used up. */
  overLimit: 6,
  /** The deployment gave no answer in time. */
  unreachable: 7,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with a message for its user, without a stack trace. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function wrongUsage(message: string): CommandFailure {
  return new CommandFailure(message, EXIT.usage);
}
