// The publisher.
export interface DnsCleanupJob {
  readonly recordIds: readonly string[];
}
