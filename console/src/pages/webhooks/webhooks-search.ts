// The URLs of the pages about webhooks keep the open row and the filter of deliveries.

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
