// Hears what gateways answer about the copies that they have or may have (docs/architecture.md
// §Ask). An answer writes no row.
import type { AnsweredMessage, AskAnswers, NotedAnswers } from "../../rpc/ask-calls.ts";
import type { Grant } from "../../rpc/ledger-calls.ts";
import type { Changed } from "../after-commit.ts";
import { keepAsking, releaseUntaken } from "../open/asked-job.ts";
import type { Waits } from "../open/job-waits.ts";
import type { OpenMessages } from "../open/open-messages.ts";
import { changeLeased } from "./leased-jobs.ts";

export class Asks {
  readonly #open: OpenMessages;
  readonly #waits: Waits;

  constructor(open: OpenMessages, waits: Waits) {
    this.#open = open;
    this.#waits = waits;
  }

  /**
   * Notes answers. The caller settles next what is known. The alarm releases the attempts that no
   * gateway has heard of.
   */
  noteAnswers({ underWay, neverHeard, known }: AskAnswers, now: number): Changed<NotedAnswers> {
    changeLeased(this.#open, underWay, false, (job, { attempt, host }) =>
      keepAsking(job, attempt, host, now, this.#waits),
    );
    const unheardAgain: Grant[] = [];
    const finished = changeLeased(this.#open, neverHeard, false, (job, grant) => {
      const after = releaseUntaken(job, grant.attempt, now, this.#waits);
      if (after?.state === "leased" && after.until > now) unheardAgain.push(grant);
      return after;
    });
    const unusedContent = this.#open.finish(finished, [], now);
    const messages = this.#messagesOf([...known, ...unheardAgain]);
    return { result: { messages, unheardAgain }, unusedContent };
  }

  #messagesOf(grants: readonly Grant[]): readonly AnsweredMessage[] {
    return [...new Set(grants.map(({ emailId }) => emailId))].flatMap((emailId) => {
      const found = this.#open.lookUps.find(emailId);
      return found ? [{ emailId, startsAt: found.startsAt, meta: found.meta }] : [];
    });
  }
}
