// Collects the timeline of one message from every source, for the investigation of a violation.
import type { RoundResult } from "./campaign.ts";
import type { ChaosHarness } from "./chaos-harness.ts";
import type { TimedLine } from "./recent-lines.ts";

const MARGIN_MS = 500;
const LINE_CHARACTERS = 400;

/**
 * Returns the timeline of a message, line by line. Each line has its milliseconds since the round
 * began.
 */
export function timelineOf(
  { facts, replies }: RoundResult,
  token: string,
  harness: ChaosHarness,
): string[] {
  const message = facts.sent.find((one) => one.token === token);
  if (!message) return [];
  const ids = new Set(
    facts.events.filter(({ subject }) => subject === token).map(({ email_id: id }) => id),
  );
  if (message.emailId !== null) ids.add(message.emailId);
  const isAbout = (text: string): boolean => [...ids].some((id) => text.includes(id));
  const lines: TimedLine[] = [
    ...message.log.map(({ at, what }) => ({ at, text: `client: ${what}` })),
    ...replies.sent
      .filter((reply) => reply.token === token)
      .flatMap(({ log, name, door }) =>
        log.map(({ at, what }) => ({ at, text: `reader: ${name} by ${door}: ${what}` })),
      ),
    ...facts.mail
      .filter(({ to }) => message.recipients.includes(to))
      .map(({ at, what, to, n = "", reply = "", messageId = "" }) => ({
        at,
        text: `mx: ${what} ${to} ${reply}${messageId} ${n}`,
      })),
    ...facts.events
      .filter(({ email_id: id }) => ids.has(id))
      .map((event) => ({
        at: Date.parse(event.occurred_at),
        text:
          `history: ${event.type} ${event.recipient} attempt ${event.attempt} ` +
          `${event.smtp_code ?? ""} ${event.id}`,
      })),
    ...harness.workerLines.all
      // A log line about an event that matches no message has no message id.
      .filter(({ text }) => isAbout(text) || text.includes(`"email_event`))
      .map(({ at, text }) => ({ at, text: `worker: ${text}` })),
    ...harness.hosts.tally.lines.all
      .filter(({ text }) => isAbout(text))
      .map(({ at, text }) => ({ at, text: `gateway: ${text}` })),
    ...(facts.emailService?.copies ?? [])
      .filter(({ subject }) => subject === token)
      .map(({ takenAt: at, messageId, recipient, status, attempts, lastReply }) => ({
        at,
        text:
          `email service: took ${messageId} for ${recipient}, ${status} ` +
          `after ${attempts}: ${lastReply}`,
      })),
    ...harness.relay.lines.all
      .filter(({ text }) => message.recipients.some((recipient) => text.includes(recipient)))
      .map(({ at, text }) => ({ at, text: `email service: ${text}` })),
    ...harness.faults.injected.all.map(({ at, text }) => ({ at, text: `fault: ${text}` })),
  ];
  const until =
    Math.max(...lines.filter(({ text }) => !text.startsWith("fault")).map(({ at }) => at)) +
    MARGIN_MS;
  const journal = facts.journal
    .filter(({ key }) => isAbout(key))
    .map((entry) => `        the gateway's journal: ${JSON.stringify(entry)}`);
  return [
    ...lines
      .filter(({ at }) => at >= facts.since - MARGIN_MS && at <= until)
      .toSorted((left, right) => left.at - right.at)
      .map(
        ({ at, text }) =>
          `${String(at - facts.since).padStart(7)} ${text.slice(0, LINE_CHARACTERS)}`,
      ),
    ...journal,
  ];
}
