// Makes the mail of an invented shop, for measuring chunks: receipts and sign-in codes with labels
// and headers, delivered by servers that answer like those of large providers. Each run makes the
// same mail.
import { uuidv7Of } from "../../../../src/lib/ids.ts";
import {
  eventId,
  type MessageEvents,
  type MessageRecord,
  type OwnEvent,
} from "../../../../src/rpc/event-records.ts";
import { NOON } from "./sample-events.ts";

const HEX = "0123456789abcdef";
const DIGITS = "0123456789";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const FIRST_NAMES = (
  "anna john maria peter lena tom sofia max emma paul julia david laura mark nina felix " +
  "sarah ben lisa jan"
).split(" ");
const LAST_NAMES = (
  "mueller smith garcia novak rossi jensen dubois kim silva brown weber wagner lopez martin " +
  "andersson nowak"
).split(" ");
const KINDS = [
  ["receipts", "Your order #N has been shipped"],
  ["receipts", "Receipt for order #N"],
  ["security", "Your sign-in code is N"],
] as const;
const DOMAIN = "mail.customer.example";
/** The length of a mail server's reply to an accepted message, as the service stores it. */
const RECEIPT_CHARACTERS = 103;

class Chance {
  #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Returns a number from 0 to below 1. */
  next(): number {
    this.#seed = (Math.imul(this.#seed, 1_103_515_245) + 12_345) >>> 0;
    return this.#seed / 2 ** 32;
  }

  upTo(most: number): number {
    return Math.floor(this.next() * most);
  }

  one<Item>(list: ArrayLike<Item>): Item {
    return list[this.upTo(list.length)]!;
  }

  some(count: number, characters: string): string {
    return Array.from({ length: count }, () => this.one(characters)).join("");
  }
}

/** Makes messages with their sent and delivered events, on average every `gapMs` milliseconds. */
export function shopMessages(teamId: string, count: number, gapMs: number): MessageEvents[] {
  const chance = new Chance(12_345);
  let at = NOON;
  return Array.from({ length: count }, () => {
    at += Math.floor(-Math.log(1 - chance.next()) * gapMs);
    return messageAt(teamId, at, chance);
  });
}

function messageAt(teamId: string, at: number, chance: Chance): MessageEvents {
  const uuid = uuidv7Of(
    at,
    Uint8Array.from({ length: 16 }, () => chance.upTo(256)),
  );
  const number = chance.next() < 0.5 ? chance.some(2, DIGITS) : "";
  const host = chance.one(["gmail.com", "gmail.com", "outlook.com", "yahoo.com", "gmx.de"]);
  const recipient = `${chance.one(FIRST_NAMES)}${chance.one([".", "_", ""])}${chance.one(LAST_NAMES)}${number}@${host}`;
  const [topic, subject] = chance.one(KINDS);
  const message: MessageRecord = {
    teamId,
    emailId: `email_${uuid}`,
    from: `shop@${DOMAIN}`,
    fromName: "The Shop",
    fromDomain: DOMAIN,
    domainId: "domain_22222222-2222-4222-8222-222222222222",
    subject: subject.replace("N", chance.some(6, DIGITS)),
    messageId: `<${uuid}@${DOMAIN}>`,
    tags: [chance.one(["de", "en", "fr"]), chance.one(["web", "app"])],
    topic,
    campaign: chance.one(["autumn", "welcome"]),
    templateId: null,
    ipPool: null,
    headers: chance.one([
      { x_shop: "de", x_environment: "production" },
      { x_shop: "en", x_environment: "production" },
    ]),
    recipients: [recipient],
    roles: "t",
  };
  const [mxHost, response] = receipt(uuid, chance);
  const sentAt = at + 20 + chance.upTo(100);
  const exchange = {
    stage: "end",
    response: response.slice(0, RECEIPT_CHARACTERS),
    mxHost,
    tls: "TLSv1.3",
    rule: null,
  };
  const delivered = { smtpCode: 250, exchange };
  const events = [
    ownEvent(message, "email.sent", sentAt),
    { ...ownEvent(message, "email.delivered", sentAt + 300 + chance.upTo(1_500)), ...delivered },
  ];
  return { message, events };
}

function ownEvent(
  { emailId, recipients: [recipient = ""] }: MessageRecord,
  type: OwnEvent["type"],
  occurredAt: number,
): OwnEvent {
  const nothing = {
    smtpCode: null,
    bounce: null,
    complaint: null,
    suppression: null,
    tracking: null,
    exchange: null,
  };
  return {
    id: eventId(occurredAt, emailId, recipient, type, "1"),
    type,
    occurredAt,
    recipient,
    attempt: 1,
    ...nothing,
  };
}

/** Returns the host of a mail server, and its reply to an accepted message. */
function receipt(uuid: string, chance: Chance): [mxHost: string, response: string] {
  const which = chance.next();
  const digits = (count: number) => chance.some(count, DIGITS);
  if (which < 0.45) {
    const reference = `${chance.some(13, HEX)}-${chance.some(11, HEX)}si${digits(7)}${chance.one(["a12", "b3a", "plb", "ejc"])}.${digits(3)}`;
    return [
      "gmail-smtp-in.l.google.com",
      `250 2.0.0 OK  17604432${digits(2)} ${reference} - gsmtp`,
    ];
  }
  if (which < 0.7) {
    const host = `${chance.some(2, "ABCDEFGH")}6PR01MB${digits(4)}.eurprd01.prod.exchangelabs.com`;
    return [
      "hotmail-com.olc.protection.outlook.com",
      `250 2.6.0 <${uuid}@${DOMAIN}> [InternalId=${digits(14)}, Hostname=${host}] ` +
        `${digits(5)} bytes`,
    ];
  }
  if (which < 0.85) return ["mta5.am0.yahoodns.net", "250 ok dirdel"];
  const reference = `1M${chance.some(5, LETTERS)}-1v${chance.some(4, LETTERS)}-00${chance.some(4, LETTERS)}`;
  return [
    `mx0${1 + chance.upTo(2)}.gmx.net`,
    `250 Requested mail action okay, completed: id=${reference}`,
  ];
}
