// Applies the gateways' answers about copies of messages that they have or may have
// (docs/architecture.md §Ask). Applying an answer writes no row.
import type {
  MessageToSettle,
  QuestionResults,
  MessagesToSettle,
} from "../../rpc/question-calls.ts";
import type { Grant } from "../../rpc/ledger-calls.ts";
import type { LedgerChange } from "../after-commit.ts";
import { askLater, releaseUntaken } from "../open/asked-job.ts";
import type { Waits } from "../open/job-waits.ts";
import { recordWait } from "../open/room-wait.ts";
import type { OpenMessages } from "../open/open-messages.ts";
import { changeLeased, endOutage } from "./leased-jobs.ts";

export class AttemptQuestions {
  readonly #open: OpenMessages;
  readonly #waits: Waits;

  constructor(open: OpenMessages, waits: Waits) {
    this.#open = open;
    this.#waits = waits;
  }

  /**
   * Applies the gateways' answers. The caller then settles the known outcomes. The alarm releases
   * the attempts again that no gateway has heard of.
   */
  noteAnswers(
    { underWay, neverHeard, known }: QuestionResults,
    now: number,
  ): LedgerChange<MessagesToSettle> {
    if (underWay.length + neverHeard.length + known.length > 0) endOutage(this.#open, now);
    changeLeased(this.#open, underWay, false, (job, { attempt, host, waitsSince }) =>
      recordWait(askLater(job, attempt, host, now, this.#waits), waitsSince),
    );
    const unheardAgain: Grant[] = [];
    const finished = changeLeased(this.#open, neverHeard, false, (job, grant) => {
      const after = releaseUntaken(job, grant.attempt, now, this.#waits);
      if (after?.state === "leased" && (after.postponed ?? 0) > 1) unheardAgain.push(grant);
      return after;
    });
    const unusedContent = this.#open.finish(finished, [], now);
    const messages = this.#messagesOf([...known, ...unheardAgain]);
    return { result: { messages, unheardAgain }, unusedContent };
  }

  #messagesOf(grants: readonly Grant[]): readonly MessageToSettle[] {
    return [...new Set(grants.map(({ emailId }) => emailId))].flatMap((emailId) => {
      const found = this.#open.lookUps.find(emailId);
      if (!found) return [];
      const { startsAt, meta, heldMs } = found;
      return [{ emailId, startsAt, meta, ...(heldMs !== undefined && { heldMs }) }];
    });
  }
}
