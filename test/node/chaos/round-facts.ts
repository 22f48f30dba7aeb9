// One message of a chaos round and its events, as the tests of the checks after a storm take them.
import type { SentMessage } from "../../../tools/chaos/clients.ts";
import type { EventFact } from "../../../tools/chaos/recorded-facts.ts";

const TO = "ok-a@d1.chaos.example";

export const MESSAGE: SentMessage = {
  token: "a",
  recipients: [TO],
  sensitive: false,
  via: "single",
  keyed: true,
  tries: 1,
  emailId: "email_1",
  notBefore: 0,
  isCanceled: false,
  log: [],
};

export const SENT: EventFact = {
  id: "evt_1",
  type: "email.sent",
  occurred_at: "2026-01-01T00:00:01.000Z",
  email_id: "email_1",
  message_id: "<1@bench.example>",
  recipient: TO,
  subject: "a",
  attempt: 1,
  smtp_code: null,
  bounce_type: null,
  bounce_classification: null,
};

export const DELIVERED: EventFact = {
  ...SENT,
  id: "evt_2",
  type: "email.delivered",
  occurred_at: "2026-01-01T00:00:02.000Z",
  smtp_code: 250,
};
