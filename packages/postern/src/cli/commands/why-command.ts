// `postern why`: whether an address is suppressed, what happened to mail to it, and what the mail
// servers said.
import type { Postern } from "../../client/postern.ts";
import { AbsentError } from "../../client/client-errors.ts";
import type { Email, Event, Suppression } from "../../generated/types.ts";
import type { CliCommand } from "../command.ts";
import { wrongUsage } from "../exit-codes.ts";
import { printable } from "../printable.ts";
import { eventLine } from "./event-line.ts";

const EVENTS = 10;
/** The longest time for which events are kept. */
const RETENTION_MS = 30 * 24 * 3_600_000;

const REASONS: Readonly<Record<Suppression["reason"], string>> = {
  permanent_bounce: "its mail server refused the address for good",
  complaint: "its owner reported a message as spam",
  unsubscribed: "its owner unsubscribed",
  manual: "your team added it",
};

export const WHY_COMMAND: CliCommand = {
  name: "why",
  summary: "Say why mail to an address arrived or did not",
  usage: ["why <address>"],
  examples: ["postern why ada@example.net", "postern why ada@example.net --json"],
  run: async ({ given, terminal, client }) => {
    const address = given.needWord(0, "the address").trim().toLowerCase();
    if (!address.includes("@")) throw wrongUsage(`${address} is not an address`);
    const postern = client();
    const start = new Date(Date.now() - RETENTION_MS).toISOString();
    const [suppressions, { data: events }] = await Promise.all([
      suppressionsOf(postern, address),
      postern.events.list({ recipient: address, start, limit: EVENTS }).page(),
    ]);
    const newest = events[0] && (await timelineOf(postern, events[0].email_id, address));
    terminal.show({ address, suppressions, newest, events }, () => [
      ...suppressionLines(address, suppressions),
      ...eventLines(events),
      ...(newest ? replyLines(newest) : []),
    ]);
  },
};

async function suppressionsOf(postern: Postern, address: string): Promise<readonly Suppression[]> {
  try {
    return (await postern.suppressions.getOfAddress(address)).data;
  } catch (error) {
    if (error instanceof AbsentError) return [];
    throw error;
  }
}

type Recipient = Email["recipients"][number];

/** Returns undefined for a message that is kept no longer. */
async function timelineOf(
  postern: Postern,
  emailId: string,
  address: string,
): Promise<Recipient | undefined> {
  try {
    const { recipients } = await postern.emails.get(emailId);
    return recipients.find(({ recipient }) => recipient.toLowerCase() === address);
  } catch (error) {
    if (error instanceof AbsentError) return undefined;
    throw error;
  }
}

function suppressionLines(
  address: string,
  suppressions: readonly Suppression[],
): readonly string[] {
  if (suppressions.length === 0)
    return [`${address} is not suppressed: the next message is tried.`];
  return suppressions.map(({ topic, reason, suppressed_at: since, expires_at: until, note }) =>
    [
      `${address} is suppressed for ${topic === "*" ? "every topic" : `the topic ${topic}`}`,
      `since ${since.slice(0, 10)}${until === null ? "" : ` until ${until.slice(0, 10)}`}:`,
      `${REASONS[reason]}.${note === null ? "" : ` Note: ${printable(note)}.`}`,
    ].join(" "),
  );
}

function eventLines(events: readonly Event[]): readonly string[] {
  return events.length === 0
    ? ["Nothing happened to mail to it in the last 30 days, or as long as events are kept."]
    : ["", "Its last events, newest first:", ...events.map(eventLine)];
}

/** The replies of the mail servers to the newest message's attempts. */
function replyLines({ status, next_attempt_at: next, events }: Recipient): readonly string[] {
  const replies = events.flatMap(({ smtp_response: reply, mx_host: host }) =>
    reply === null ? [] : [`${host ?? "the service"}: ${reply}`],
  );
  return [
    "",
    `The newest message is ${status}.${next === null ? "" : ` The next attempt is at ${next}.`}`,
    ...replies,
  ];
}
