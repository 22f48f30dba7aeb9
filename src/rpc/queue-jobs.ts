// The bodies of the messages in the service's queues. They carry ids only: the consumer reads the
// rest from the object that knows it (docs/architecture.md §From a request to an inbox).

/** The body of a message in the `deliver` queue. The ledger has the rest. */
export type DeliverBody = DeliverJob | DeliverJobs | DeliverAsks;

export interface DeliverJob {
  readonly teamId: string;
  readonly emailId: string;
  readonly recipientIndex: number;
}

/** Several deliveries of one team. */
export interface DeliverJobs {
  readonly teamId: string;
  readonly jobs: readonly Omit<DeliverJob, "teamId">[];
}

/** Questions about attempts of one team, which the gateways answer. */
export interface DeliverAsks {
  readonly teamId: string;
  readonly asks: readonly AskedHost[];
}

export interface AskedHost {
  /** The URL of the gateway that may have the copies; null: any gateway may. */
  readonly host: string | null;
  /** `<email id>/<recipient index>/<attempt>` each. */
  readonly keys: readonly string[];
}

/**
 * DNS records that are still to be removed: by id, or by name when it is unknown whether the record
 * was created.
 */
export interface DnsCleanupJob {
  readonly recordIds: readonly string[];
  readonly names?: readonly string[];
  /**
   * The job waits while this domain exists, so it can be queued before the domain is certain to be
   * deleted.
   */
  readonly domainId?: string;
}

/** The webhook's outbox knows which batches are due. */
export interface WebhookJob {
  readonly teamId: string;
  readonly webhookId: string;
}
