// The bodies of the messages in the service's queues. They carry ids only: the consumer reads the
// rest from the object that knows it (docs/architecture.md §From a request to an inbox).

/** The body of a `deliver` queue message: ids only; the ledger has the rest. */
export type DeliverBody = DeliverJob | DeliverJobs;

export interface DeliverJob {
  readonly teamId: string;
  readonly emailId: string;
  readonly recipientIndex: number;
}

/** Several of one team. */
export interface DeliverJobs {
  readonly teamId: string;
  readonly jobs: readonly Omit<DeliverJob, "teamId">[];
}

/**
 * What is left to remove: records by id, and those of which it is unknown whether they came to be,
 * by name.
 */
export interface DnsCleanupJob {
  readonly recordIds: readonly string[];
  readonly names?: readonly string[];
  /**
   * Nothing is removed while this domain exists, so that a job may be sent before it is certain
   * that the domain goes.
   */
  readonly domainId?: string;
}

/** Ids only: the outbox knows what is due. */
export interface WebhookJob {
  readonly teamId: string;
  readonly webhookId: string;
}
