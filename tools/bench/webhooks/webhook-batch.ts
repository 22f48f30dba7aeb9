// The delivery that every side of `bench webhooks` posts: ten events of ten messages, in the form
// of contract.md §Payloads. It imports nothing, because workers and Node processes share it.

export const EVENTS = 10;

const TIMESTAMP = 1_793_232_000;

const EVENTS_OF_A_BATCH = Array.from({ length: EVENTS }, (_, index) => ({
  id: `evt_019e5b6c943e7e35b378f7440093${6_000 + index}`,
  type: "email.delivered",
  occurred_at: new Date(TIMESTAMP * 1_000 + index).toISOString(),
  data: {
    email_id: `email_019e5b6c-943e-7e35-b378-f7440093${6_000 + index}`,
    recipient: `someone-${index}@recipient.example`,
    subject: "Your receipt of 20 November",
    message_id: `<019e5b6c-943e-7e35-b378-f7440093${6_000 + index}@bench.example>`,
    tags: ["receipt"],
    attempt: 1,
  },
}));

/** Makes the body of the batch with this id from its events. */
export function webhookBatchBody(id: string): string {
  return JSON.stringify({ batch_id: id, timestamp: TIMESTAMP, events: EVENTS_OF_A_BATCH });
}

const ID_PLACE = "wb_id";
const [BEFORE = "", AFTER = ""] = webhookBatchBody(ID_PLACE).split(ID_PLACE);

/** Returns the body of the batch with this id. Most of it is made in advance. */
export function readyBody(id: string): string {
  return BEFORE + id + AFTER;
}
