// Makes the mail of an invented shop, for measuring chunks: receipts and sign-in codes with labels
// and headers, delivered by servers that answer like those of large providers. Each run makes the
// same mail.
import { uuidv7Of } from "../../../../src/lib/ids.ts";
import type { MessageEvents } from "../../../../src/rpc/event-records.ts";
import { aMessage, anEvent, NOON } from "./sample-events.ts";

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
/** The length to which the service shortens a mail server's reply to an accepted message. */
const RECEIPT_CHARACTERS = 103;

let seed = 0;
/** Returns a number from 0 to below 1. */
const next = () => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
const upTo = (most: number) => Math.floor(next() * most);
const one = <Item>(list: ArrayLike<Item>): Item => list[upTo(list.length)]!;
const some = (count: number, characters: string) =>
  Array.from({ length: count }, () => one(characters)).join("");

/** Makes messages with their sent and delivered events, on average every `gapMs` milliseconds. */
export function shopMessages(teamId: string, count: number, gapMs: number): MessageEvents[] {
  seed = 12_345;
  let at = NOON;
  return Array.from({ length: count }, () => {
    at += Math.floor(-Math.log(1 - next()) * gapMs);
    return messageAt(teamId, at);
  });
}

function messageAt(teamId: string, at: number): MessageEvents {
  const octets = Uint8Array.from({ length: 16 }, () => upTo(256));
  const uuid = uuidv7Of(at, octets);
  const number = next() < 0.5 ? some(2, DIGITS) : "";
  const host = one(["gmail.com", "gmail.com", "outlook.com", "yahoo.com", "gmx.de"]);
  const name = one(FIRST_NAMES) + one([".", "_", ""]) + one(LAST_NAMES) + number;
  const [topic, subject] = one(KINDS);
  const message = aMessage(teamId, {
    emailId: `email_${uuid}`,
    from: `shop@${DOMAIN}`,
    fromName: "The Shop",
    fromDomain: DOMAIN,
    domainId: "domain_22222222-2222-4222-8222-222222222222",
    subject: subject.replace("N", some(6, DIGITS)),
    messageId: `<${uuid}@${DOMAIN}>`,
    tags: [one(["de", "en", "fr"]), one(["web", "app"])],
    topic,
    campaign: one(["autumn", "welcome"]),
    headers: { x_shop: one(["de", "en"]), x_environment: "production" },
    recipients: [`${name}@${host}`],
    roles: "t",
  });
  const [mxHost, reply] = receipt(uuid);
  const response = reply.slice(0, RECEIPT_CHARACTERS);
  const exchange = { stage: "end", response, mxHost, tls: "TLSv1.3", rule: null };
  const sentAt = at + 20 + upTo(100);
  const own = { ...message, recipient: message.recipients[0]!, attempt: 1 };
  const occurredAt = sentAt + 300 + upTo(1_500);
  const events = [
    anEvent(teamId, { ...own, type: "email.sent", occurredAt: sentAt }),
    anEvent(teamId, { ...own, occurredAt, smtpCode: 250, exchange }),
  ];
  return { message, events };
}

/** Returns the host of a mail server, and its reply to an accepted message. */
function receipt(uuid: string): [mxHost: string, response: string] {
  const which = next();
  const digits = (count: number) => some(count, DIGITS);
  if (which < 0.45) {
    const reference = `${some(13, HEX)}-${some(11, HEX)}si${digits(7)}${one(["a12", "b3a", "plb", "ejc"])}.${digits(3)}`;
    return [
      "gmail-smtp-in.l.google.com",
      `250 2.0.0 OK  17604432${digits(2)} ${reference} - gsmtp`,
    ];
  }
  if (which < 0.7) {
    const host = `${some(2, "ABCDEFGH")}6PR01MB${digits(4)}.eurprd01.prod.exchangelabs.com`;
    return [
      "hotmail-com.olc.protection.outlook.com",
      `250 2.6.0 <${uuid}@${DOMAIN}> [InternalId=${digits(14)}, Hostname=${host}] ` +
        `${digits(5)} bytes`,
    ];
  }
  if (which < 0.85) return ["mta5.am0.yahoodns.net", "250 ok dirdel"];
  const reference = `1M${some(5, LETTERS)}-1v${some(4, LETTERS)}-00${some(4, LETTERS)}`;
  return [
    `mx0${1 + upTo(2)}.gmx.net`,
    `250 Requested mail action okay, completed: id=${reference}`,
  ];
}
