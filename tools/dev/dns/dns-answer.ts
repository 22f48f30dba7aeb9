// Answers one question to the local DNS server. It knows exact names, wildcards (RFC 4592), and
// aliases, which it follows within the answer. A name that does not exist gets NXDOMAIN. A name
// without a record of the requested type gets an empty answer. The server is authoritative for
// every name, so a record that it does not store does not exist.
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  decode,
  type DecodedPacket,
  encode,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from "dns-packet";
import type { DnsFaults } from "./dns-faults.ts";
import { characterStrings, type DnsRecord, parentOf, type RecordStore } from "./dns-records.ts";

const RCODE = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const;

const ALIASES_FOLLOWED = 16;
/** A short TTL, so that a person or a test sees changes immediately. */
const TTL_SECONDS = 1;
const OPCODE_SHIFT = 11;
const UDP_PAYLOAD_BYTES = 1232;
/** Offset of the flags in a DNS message, in octets. */
const FLAGS_AT = 2;
const START_OF_AUTHORITY = {
  mname: "ns.localhost",
  rname: "hostmaster.localhost",
  serial: 1,
  refresh: 3600,
  retry: 600,
  expire: 86_400,
  minimum: 1,
};

type Rcode = (typeof RCODE)[keyof typeof RCODE];

/** Decodes a message. Returns null for a message that is not DNS. */
export function readQuery(message: Buffer): DecodedPacket | null {
  try {
    return decode(message);
  } catch {
    return null;
  }
}

function answerQuery(store: RecordStore, query: DecodedPacket): Buffer {
  const [question, ...more] = query.questions ?? [];
  if ((((query.flags ?? 0) >> OPCODE_SHIFT) & 0xf) !== 0) return respond(query, RCODE.NOTIMP, []);
  if (query.type !== "query" || !question || more.length > 0)
    return respond(query, RCODE.FORMERR, []);
  const { rcode, answers } = resolve(store, question.name, question.type);
  return respond(query, rcode, answers);
}

/** Answers a query. Null: a fault demands that no reply is sent. */
export type AnswerQuery = (query: DecodedPacket) => Buffer | null;

/** Answers a query from the records, or as a fault demands. */
export function answerOrFail(
  store: RecordStore,
  query: DecodedPacket,
  faults: DnsFaults,
): Buffer | null {
  const fault = faults.dnsQuery(query.questions?.[0]?.name ?? "");
  if (fault === "hang") return null;
  return fault === null
    ? answerQuery(store, query)
    : respond(query, fault === "servfail" ? RCODE.SERVFAIL : RCODE.REFUSED, []);
}

/**
 * Builds a reply without records that is marked as truncated, because the real reply does not fit.
 */
export function truncatedReply(query: DecodedPacket): Buffer {
  const reply = respond(query, RCODE.NOERROR, []);
  reply.writeUInt16BE(reply.readUInt16BE(FLAGS_AT) | TRUNCATED_RESPONSE, FLAGS_AT);
  return reply;
}

function respond(query: DecodedPacket, rcode: Rcode, answers: Answer[]): Buffer {
  const asked: string | undefined = query.questions?.[0]?.type;
  const isFound = answers.some((answer) => answer.type === asked || asked === "ANY");
  const isNegative = rcode === RCODE.NXDOMAIN || (rcode === RCODE.NOERROR && !isFound);
  const authorities: Answer[] = isNegative
    ? [{ type: "SOA", name: ".", ttl: TTL_SECONDS, data: START_OF_AUTHORITY }]
    : [];
  const withOptions = query.additionals?.some((additional) => additional.type === "OPT") ?? false;
  const options: Answer = {
    type: "OPT",
    name: ".",
    udpPayloadSize: UDP_PAYLOAD_BYTES,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
  return encode({
    type: "response",
    id: query.id ?? 0,
    flags:
      AUTHORITATIVE_ANSWER | RECURSION_AVAILABLE | ((query.flags ?? 0) & RECURSION_DESIRED) | rcode,
    questions: query.questions ?? [],
    answers,
    authorities,
    additionals: withOptions ? [options] : [],
  });
}

function resolve(
  store: RecordStore,
  name: string,
  type: string,
): { rcode: Rcode; answers: Answer[] } {
  const answers: Answer[] = [];
  let owner = name;
  for (let followed = 0; followed <= ALIASES_FOLLOWED; followed += 1) {
    const records = recordsFor(store, owner.toLowerCase());
    if (records === null) return { rcode: RCODE.NXDOMAIN, answers };
    const matching = records.filter((record) => type === "ANY" || record.type === type);
    if (matching.length > 0)
      return {
        rcode: RCODE.NOERROR,
        answers: [...answers, ...matching.map((record) => toAnswer(record, owner))],
      };
    const alias = records.find((record) => record.type === "CNAME");
    if (!alias) return { rcode: RCODE.NOERROR, answers };
    answers.push(toAnswer(alias, owner));
    owner = alias.content.replace(/\.$/, "");
  }
  return { rcode: RCODE.SERVFAIL, answers: [] };
}

/** Returns the records of a name or of its wildcard. Null: the name does not exist. */
function recordsFor(store: RecordStore, name: string): readonly DnsRecord[] | null {
  if (store.exists(name)) return store.at(name);
  for (let above = parentOf(name); above !== null; above = parentOf(above)) {
    const wildcard = `*.${above}`;
    if (store.exists(above)) return store.exists(wildcard) ? store.at(wildcard) : null;
  }
  return store.exists("*") ? store.at("*") : null;
}

function toAnswer(record: DnsRecord, name: string): Answer {
  const common = { name, ttl: TTL_SECONDS };
  if (record.type === "MX")
    return {
      ...common,
      type: "MX",
      data: { preference: record.priority ?? 0, exchange: record.content },
    };
  if (record.type === "TXT")
    return { ...common, type: "TXT", data: characterStrings(record.content) };
  return { ...common, type: record.type, data: record.content };
}
