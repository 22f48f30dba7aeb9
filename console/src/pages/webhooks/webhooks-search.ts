// The open row and the filter of deliveries on the pages about webhooks. The URL stores them.

const OUTCOMES = ["delivered", "failed", "dropped"] as const;
type Outcome = (typeof OUTCOMES)[number];

export interface WebhookSearch {
  /** The id of the open delivery. */
  readonly open?: string;
  readonly outcome?: Outcome;
}

export function webhookSearch({ open, outcome }: Record<string, unknown>): WebhookSearch {
  const chosen = OUTCOMES.find((one) => one === outcome);
  return { ...(typeof open === "string" && { open }), ...(chosen && { outcome: chosen }) };
}
