// The bodies of the messages in the service's queues. The bodies contain only ids. The consumer
// reads everything else from the object that has it (docs/architecture.md §From a request to an
// inbox).

/** The body of a message in the `deliver` queue. The ledger has all other data. */
export type DeliverBody = DeliverJob | DeliverJobs | DeliverQuestions;

export interface DeliverJob {
  readonly teamId: string;
  readonly emailId: string;
  readonly recipientIndex: number;
}

/** The body of a queue message with several deliveries of one team. */
export interface DeliverJobs {
  readonly teamId: string;
  readonly jobs: readonly Omit<DeliverJob, "teamId">[];
}

/** The body of a queue message with questions to gateways about attempts of one team. */
export interface DeliverQuestions {
  readonly teamId: string;
  readonly asks: readonly HostQuestions[];
}

export interface HostQuestions {
  /** The URL of the gateway that may have the copies. Null: any gateway may have them. */
  readonly host: string | null;
  /** Names of attempts, in the form `<email id>/<recipient index>/<attempt>`. */
  readonly keys: readonly string[];
}

/**
 * DNS records that must still be removed. A record is named by its id, or by its DNS name if the
 * service does not know whether the record was created.
 */
export interface DnsCleanupJob {
  readonly recordIds: readonly string[];
  readonly names?: readonly string[];
  /**
   * The job waits while this domain exists. So the job can be queued before the domain is deleted.
   */
  readonly domainId?: string;
}

/** A name to onboard to Cloudflare's Email Service. The team has proven that it owns the domain. */
export interface OnboardingJob {
  readonly onboard: string;
  readonly domainId: string;
}

/**
 * A name to remove from Cloudflare's Email Service when no team has a domain of this name. This
 * service had onboarded the name.
 */
interface OffboardingJob {
  readonly offboard: string;
}

/** A tracking host. Its custom hostname is removed when its domain is deleted. */
interface HostReleaseJob {
  readonly releaseHost: string;
}

/** The body of a message in the `dns-cleanup` queue. */
export type DnsJob = DnsCleanupJob | OnboardingJob | OffboardingJob | HostReleaseJob;

/** Names only the outbox. The outbox knows which batches are due. */
export interface WebhookJob {
  readonly teamId: string;
  readonly webhookId: string;
}
