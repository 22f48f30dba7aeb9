// Runs the changes of a ledger in groups that share one commit (docs/architecture.md §Admit), and
// then the work that had to wait for the commit. If a group fails, its commit is rolled back, and
// the ledger's in-memory state (ledger-state.ts) is built again from the disk.
import type { Env } from "../env.ts";
import { crashPoint } from "../lib/crash-point.ts";
import { GroupCommit } from "../lib/group-commit.ts";
import { logError } from "../lib/log.ts";
import { type LedgerChange, GroupFollowUp } from "./after-commit.ts";
import type { TeamLog } from "./log/team-log.ts";
import { JobSender } from "./release/job-sender.ts";
import { Subjects, type Bounds } from "./ledger-state.ts";

interface CommitDependencies {
  readonly teamId: string;
  readonly env: () => Env;
  readonly log: TeamLog;
  readonly bounds: Bounds;
  readonly isDestroyed: () => boolean;
  /** Runs after the last change of a group, in the same transaction. */
  readonly beforeCommit: (now: number) => void;
  /** Runs after a rollback, once the in-memory state is built again. */
  readonly afterRollback: () => void;
}

export class LedgerCommits {
  readonly #ctx: DurableObjectState;
  readonly #using: CommitDependencies;
  readonly #commit: GroupCommit;
  readonly #dispatcher: JobSender;
  #subjects!: Subjects;
  #followUp = new GroupFollowUp();

  /** Reads nothing from disk: the caller must call load() next. */
  constructor(ctx: DurableObjectState, using: CommitDependencies) {
    const { teamId, env } = using;
    this.#ctx = ctx;
    this.#using = using;
    this.#dispatcher = new JobSender(
      teamId,
      () => env().DELIVER,
      () => crashPoint(env().CRASH_POINT_URL, "after_release"),
    );
    this.#commit = new GroupCommit(ctx.storage, {
      beforeCommit: () => {
        this.#subjects.beforeCommit();
        using.beforeCommit(Date.now());
      },
      afterCommit: () => this.#afterCommit(),
      afterRollback: () => this.#afterRollback(),
    });
  }

  get subjects(): Subjects {
    return this.#subjects;
  }

  /** Reads the stored state from disk, at the start and after a rollback. */
  load(): void {
    const { teamId, log, bounds } = this.#using;
    this.#followUp = new GroupFollowUp();
    this.#subjects = new Subjects(this.#ctx.storage.sql, teamId, log, bounds);
  }

  /** Returns the in-memory state, for a call that changes nothing. */
  read(): Subjects {
    if (this.#using.isDestroyed()) throw new Error("this team was deleted");
    return this.#subjects;
  }

  /** Runs work in the next group commit. */
  write<Result>(work: (subjects: Subjects) => Result): Promise<Result> {
    return this.#commit.run(() => work(this.read()));
  }

  /**
   * Runs `work` in the next group commit. Then does the further work that `work` returned
   * (after-commit.ts).
   */
  change<Result>(work: (subjects: Subjects) => LedgerChange<Result>): Promise<Result> {
    return this.write((subjects) => {
      const { result, ...left } = work(subjects);
      this.#followUp.add(left);
      return result;
    });
  }

  async #afterCommit(): Promise<void> {
    const { hasAccepted, released, asks, unusedContent } = this.#followUp;
    this.#followUp = new GroupFollowUp();
    if (hasAccepted) await crashPoint(this.#using.env().CRASH_POINT_URL, "after_admit");
    if (released.length + asks.length > 0) this.#dispatcher.send(released, asks);
    await this.#using.log.afterCommit();
    if (unusedContent.length > 0) void this.#deleteContent(unusedContent);
  }

  /** Deletes content from R2. If that fails, the sweep deletes the content some days later. */
  async #deleteContent(keys: string[]): Promise<void> {
    const { env, teamId } = this.#using;
    await env()
      .CONTENT.delete(keys)
      .catch((error: unknown) => logError("content_not_deleted", error, { team_id: teamId }));
  }

  #afterRollback(): void {
    if (this.#using.isDestroyed()) return;
    try {
      this.load();
      this.#using.afterRollback();
    } catch (error) {
      this.#ctx.abort(`the ledger can't be read again: ${String(error)}`);
    }
  }
}
