// The work of senders that only sign webhooks and post them, in workerd or in Node.

export interface Posting {
  readonly url: string;
  /** Prefix of each batch id. */
  readonly run: string;
  readonly batches: number;
  readonly inFlight: number;
  /** The whole `whsec_…` text, which is also the key of Service-Signature. */
  readonly secret: string;
}

/** Calls `post` once with every batch id, `inFlight` at a time. */
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
 * Returns the headers of a request, signed by one scheme. The batch id is a header because the
 * receiver counts by it.
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
