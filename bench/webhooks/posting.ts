// What `bench webhooks` asks of those who do no more than sign and post, in workerd or in Node.

export interface Posting {
  readonly url: string;
  /** Each batch id begins with it. */
  readonly run: string;
  readonly batches: number;
  readonly inFlight: number;
  /** Bodies are not made of events for each, but at hand. */
  readonly isReady: boolean;
  /** The whole `whsec_…`, whose text is the key of Service-Signature. */
  readonly secret: string;
}

/** Calls `post` with every batch id once, `inFlight` at a time. */
export async function postAll(
  { run, batches, inFlight }: Posting,
  post: (id: string) => Promise<void>,
): Promise<void> {
  let next = 0;
  const line = async (): Promise<void> => {
    while (next < batches) await post(`wb_${run}-${next++}`);
  };
  await Promise.all(Array.from({ length: inFlight }, line));
}

/**
 * The headers of a request that is signed the one way; the batch id is there for whoever counts.
 */
export function headersOf(
  id: string,
  timestamp: number,
  signature: string,
): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "Service-Signature": `t=${timestamp},v1=${signature}`,
    "Service-Timestamp": String(timestamp),
    "Service-Batch-Id": id,
  };
}
