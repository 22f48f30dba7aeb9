// Decodes a chunk (chunk-form.ts, docs/storage.md §Chunks): finds its messages, and rebuilds the
// events that match a filter. Pure.
import { inflateRawSync } from "node:zlib";
import {
  restoreUuid,
  unpackDictionary,
  unpackDifferences,
  unpackSmallNumbers,
} from "./column-packing.ts";
import {
  derivedId,
  DIGITS,
  domainOf,
  type EventColumns,
  type EventWithoutId,
  FORM,
  type Form,
  hexTime,
  type ChunkKind,
  type ChunkSender,
  type MessageColumns,
  ownMessageId,
  TIME_DIGITS,
} from "./chunk-form.ts";
import type { Correlation, EventRecord, MessageRecord } from "../../rpc/event-records.ts";
import type { EventHead } from "./event-filters.ts";
import type { ProviderFacts } from "../providers/provider-of.ts";
import { BOUNCE_CLASSIFICATIONS, BOUNCE_TYPES, EVENT_TYPES } from "../../rpc/event-types.ts";

/**
 * The conditions for events of a chunk. An event must meet all conditions that are present. `event`
 * gets the members of EventHead, and `message` gets the event's message. `server` gets the
 * recipient and the name of the mail server. `whole` gets the whole event.
 */
interface ChunkFilter {
  readonly event: (event: EventHead) => boolean;
  readonly message: (message: Correlation) => boolean;
  readonly server?: ((facts: ProviderFacts) => boolean) | undefined;
  readonly whole?: ((event: EventWithoutId) => boolean) | undefined;
}

export interface EventChunk {
  /** Finds a message by its id. Returns undefined if the chunk has no event of the message. */
  readonly message: (emailId: string) => MessageRecord | undefined;
  /** Returns the events that match the filter, newest first, then by id. */
  readonly events: (filter?: ChunkFilter) => EventRecord[];
}

interface UnpackedMessage {
  readonly uuid: string;
  readonly correlation: Correlation;
  readonly rest: () => Omit<MessageRecord, keyof Correlation>;
}

/** Decodes a chunk. Throws a plain Error for bytes that are not a chunk. */
export function openChunk(teamId: string, bytes: Uint8Array): EventChunk {
  const [form, columns, events, schedules = [], copies = [], replyAddresses = [], versions = []] =
    JSON.parse(inflateRawSync(bytes).toString()) as Form;
  if (form !== FORM) throw new Error(`a chunk of an unknown form: ${form}`);
  const times = unpackDifferences(events[0]);
  const owners = unpackOwners(events[1]);
  const messages = unpackMessages(teamId, columns, owners, times, {
    schedules: new Map(schedules),
    copies: new Map(copies),
    replyAddresses: new Map(replyAddresses),
    versions: new Map(versions),
  });
  const own = unpackEvents(events, columns[2], messages, owners, times);
  return {
    message: (emailId) => {
      const found = messages.find((message) => message().correlation.emailId === emailId)?.();
      return found && { ...found.correlation, ...found.rest() };
    },
    events: (filter) => {
      const found = owners.flatMap((_, row) => (isSelected(row, filter) ? [row] : []));
      return found.toReversed().map((row): EventRecord => {
        const [{ correlation }, event] = [messages[owners[row]!]!(), own.whole(row)];
        return {
          ...correlation,
          ...event,
          id: unpackId(events[4][row]!, correlation.emailId, event),
        };
      });
    },
  };

  // The cheapest condition comes first, because most rows fail a condition.
  function isSelected(row: number, filter: ChunkFilter | undefined): boolean {
    if (!filter) return true;
    const head = own.head(row);
    return (
      filter.event(head) &&
      filter.message(messages[owners[row]!]!().correlation) &&
      (filter.server?.({ recipient: head.recipient, mxHost: own.hostOf(row) }) ?? true) &&
      (filter.whole?.(own.whole(row)) ?? true)
    );
  }
}

function unpackMessages(
  teamId: string,
  [tails, ages, envelopes, roles, senders, subjects, messageIds, labels]: MessageColumns,
  owners: readonly number[],
  times: readonly number[],
  rare: {
    readonly schedules: ReadonlyMap<number, number>;
    readonly copies: ReadonlyMap<number, string>;
    readonly replyAddresses: ReadonlyMap<number, readonly string[]>;
    readonly versions: ReadonlyMap<number, number>;
  },
): (() => UnpackedMessage)[] {
  const count = ages.length;
  const senderColumn = unpackDictionary<ChunkSender>(senders, count);
  const [topics, campaigns, templates, pools, tags, headers, metadata] = labels.map((column) =>
    unpackDictionary<never>(column, count),
  );
  const tailDigits = DIGITS - TIME_DIGITS;
  const messageAt = (age: number, at: number): UnpackedMessage => {
    const madeAt = times[owners.indexOf(at)]! - age;
    const uuid = formatHex(hexTime(madeAt) + tails.slice(at * tailDigits, (at + 1) * tailDigits));
    const [from, ownDomain, domainId, fromName = null] = senderColumn[at]!;
    const fromDomain = ownDomain === 0 ? domainOf(from) : ownDomain;
    const [messageId, envelope] = [messageIds[at]!, envelopes[at]!];
    const recipients = recipientsIn(envelope);
    const pairs = metadata?.[at] as Correlation["metadata"] | null;
    const correlation: Correlation = {
      teamId,
      emailId: `email_${uuid}`,
      from,
      fromName,
      fromDomain,
      subject: subjects[at]!,
      messageId: messageId === 0 ? ownMessageId(uuid, fromDomain) : restoreUuid(messageId, uuid),
      topic: topics![at]!,
      campaign: campaigns![at]!,
      templateId: templates![at]!,
      ipPool: pools![at]!,
      tags: tags![at]!,
      headers: headers![at]!,
      ...(pairs && { metadata: pairs }),
    };
    const rest = (): Omit<MessageRecord, keyof Correlation> => {
      const role = unpackDictionary<string | null>(roles, count)[at]!;
      const [scheduledAt, copyOf] = [rare.schedules.get(at), rare.copies.get(at)];
      const replyTo = rare.replyAddresses.get(at);
      const templateVersion = rare.versions.get(at);
      return {
        domainId,
        recipients,
        ...(role !== null && { roles: role }),
        ...(scheduledAt !== undefined && { scheduledAt }),
        ...(copyOf !== undefined && { copyOf }),
        ...(replyTo && { replyTo }),
        ...(templateVersion !== undefined && { templateVersion }),
      };
    };
    return { uuid, correlation, rest };
  };
  return ages.map((age, at) => {
    let message: UnpackedMessage | undefined;
    return () => (message ??= messageAt(age, at));
  });
}

function recipientsIn(envelope: MessageColumns[2][number]): readonly string[] {
  return typeof envelope === "string" ? [envelope] : envelope;
}

/**
 * Returns functions that rebuild a row's event. `head` rebuilds the members of EventHead, and
 * `whole` rebuilds all members. `hostOf` finds the mail server of the event's attempt.
 */
function unpackEvents(
  [, , recipients, kinds, , responses, answers, complaints, trackings]: EventColumns,
  envelopes: MessageColumns[2],
  messages: readonly (() => UnpackedMessage)[],
  owners: readonly number[],
  times: readonly number[],
): {
  head: (row: number) => EventHead;
  whole: (row: number) => EventWithoutId;
  hostOf: (row: number) => string | null;
} {
  const recipientColumn = unpackDictionary<number | string>(recipients, owners.length);
  const kindColumn = unpackDictionary<ChunkKind>(kinds, owners.length);
  const head = (row: number) => {
    const [type, , , , bounce] = kindColumn[row]!;
    return {
      type: EVENT_TYPES[type]!,
      occurredAt: times[row]!,
      recipient: itemOrText(recipientsIn(envelopes[owners[row]!]!), recipientColumn[row]!),
      bounce: bounce && {
        type: BOUNCE_TYPES[bounce[0]]!,
        classification: bounce[1] === null ? null : itemOrText(BOUNCE_CLASSIFICATIONS, bounce[1]),
        smtpCode: bounce[2],
      },
    };
  };
  const whole = (row: number): EventWithoutId => {
    const { uuid } = messages[owners[row]!]!();
    const [, attempt, smtpCode, exchange, , suppression] = kindColumn[row]!;
    const { bounce, ...own } = head(row);
    const response = unpackText(responses[row]!, uuid);
    const answer = answers[row]!;
    return {
      ...own,
      attempt,
      smtpCode,
      bounce: bounce && {
        ...bounce,
        smtpResponse: answer === 0 ? response : unpackText(answer, uuid),
      },
      complaint: complaints[row]!,
      suppression,
      tracking: trackings[row]!,
      exchange: exchange && {
        stage: exchange[0],
        response,
        mxHost: exchange[1],
        tls: exchange[2],
        rule: exchange[3],
      },
    };
  };
  return { head, whole, hostOf: hostsOf(owners, recipientColumn, kindColumn) };
}

/**
 * Returns a function that finds the mail server of a row's event, by the rule of attempt-hosts.ts.
 * It collects the servers only at its first call, because few filters need them.
 */
function hostsOf(
  owners: readonly number[],
  recipients: readonly (number | string)[],
  kinds: readonly ChunkKind[],
): (row: number) => string | null {
  const attempt = (row: number): string => `${owners[row]} ${kinds[row]![1]} ${recipients[row]}`;
  let hosts: Map<string, string> | undefined;
  return (row) => {
    const [, number, , exchange] = kinds[row]!;
    if (exchange !== null) return exchange[1];
    if (number === null) return null;
    hosts ??= new Map(
      kinds.flatMap(([, , , own], at) => (own?.[1] ? [[attempt(at), own[1]] as const] : [])),
    );
    return hosts.get(attempt(row)) ?? null;
  };
}

function unpackOwners(packed: string): number[] {
  let known = 0;
  return unpackSmallNumbers(packed).map((distance) =>
    distance === 0 ? (known += 1) - 1 : known - distance,
  );
}

function unpackId(packed: string | 0, emailId: string, event: EventWithoutId): string {
  if (packed === 0) return derivedId(emailId, event);
  return packed.length === DIGITS - TIME_DIGITS
    ? `evt_${hexTime(event.occurredAt)}${packed}`
    : packed;
}

function unpackText(packed: string | null, uuid: string): string | null {
  return packed === null ? null : restoreUuid(packed, uuid);
}

function itemOrText(list: readonly string[], packed: number | string): string {
  return typeof packed === "string" ? packed : list[packed]!;
}

function formatHex(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
