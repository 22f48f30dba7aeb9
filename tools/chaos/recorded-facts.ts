// Reads the facts of a finished round from outside the service: the event history from the API, the
// mail server's own log, the gateway's journal and the webhook receiver.
import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import type { SentMessage } from "./clients.ts";
import type { EmailServiceFacts } from "./email-service/carried-copies.ts";
import type { ServerHabit } from "./plan-servers.ts";

export interface EventFact {
  readonly id: string;
  readonly type: string;
  readonly occurred_at: string;
  readonly email_id: string;
  readonly message_id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly attempt: number | null;
  readonly smtp_code: number | null;
  readonly bounce_type: string | null;
  readonly bounce_classification: string | null;
}

/** A line of the mail server's log (chaos-mx.ts). */
export interface MailFact {
  readonly at: number;
  readonly what: "refused" | "dot" | "taken" | "answered" | "used_again";
  /** Number of the SMTP transaction. Absent if the recipient was refused. */
  readonly n?: string;
  readonly to: string;
  /** The client's name in EHLO. Absent if the recipient was refused. */
  readonly by?: string;
  readonly messageId?: string;
  readonly subject?: string;
  readonly replyTo?: string;
  /** True: the mail has the text that was sent with this subject. */
  readonly isOwnText?: boolean;
  readonly reply?: string;
  /** Absent: the server treats a used connection like a new one. */
  readonly habit?: ServerHabit;
}

/** A line of the gateway's journal (smtp-gateway/src/journal/journal.ts). */
export interface JournalFact {
  /** The key of a copy, in the form `<email id>/<recipient index>/<attempt>`. */
  readonly key: string;
  readonly outcome: {
    readonly kind: "reply" | "failure";
    readonly code?: number;
    readonly detail?: string;
  };
}

export interface WebhookFact {
  readonly name: string;
  readonly types: readonly string[];
  readonly received: ReadonlyMap<string, number>;
  /** The first arrival of each event, in Unix milliseconds. */
  readonly firstAt: ReadonlyMap<string, number>;
  readonly wrong: readonly string[];
}

export interface GatewayKill {
  /** Unix milliseconds. */
  readonly at: number;
  /** The host's name in EHLO. */
  readonly by: string;
}

export interface RoundFacts {
  readonly sent: readonly SentMessage[];
  /** Beginning of the round, Unix milliseconds. */
  readonly since: number;
  readonly events: readonly EventFact[];
  readonly mail: readonly MailFact[];
  readonly journal: readonly JournalFact[];
  readonly hooks: readonly WebhookFact[];
  /** Addresses that had bounced permanently before the round began. */
  readonly bounced: ReadonlySet<string>;
  readonly gatewayKills: readonly GatewayKill[];
  /**
   * The times when a host of the gateway was killed or asked to end, in Unix milliseconds. Null: a
   * host had an earlier version, which does not report the time of a reply.
   */
  readonly gatewayRestarts: readonly number[] | null;
  /** The times at which the machine stalled for 150 ms, in Unix milliseconds. */
  readonly stalls: readonly number[];
  /** Null: the gateway carried the round's mail, not the Email Service. */
  readonly emailService: EmailServiceFacts | null;
  /**
   * The number of recipients that counted against the quota of the round's team. Null: a new month
   * began during the round.
   */
  readonly debited: number | null;
}

interface EventPage {
  readonly data: readonly EventFact[];
  readonly next_cursor: string | null;
}

/** The API of the worker. */
export interface ReadApi {
  fetch(path: string, init: RequestInit): Promise<Response>;
}

/** Reads the JSON lines of a growing file, each line once. */
export class GrowingLog<Line> {
  readonly #path: string;
  #offset = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the lines added since the last call. Skips a line that a crash cut off. */
  read(): Line[] {
    if (!existsSync(this.#path)) return [];
    const file = openSync(this.#path, "r");
    const chunk = Buffer.allocUnsafe(1024 * 1024);
    let text = "";
    for (let bytes = 1; bytes > 0;) {
      bytes = readSync(file, chunk, 0, chunk.length, this.#offset + text.length);
      text += chunk.toString("latin1", 0, bytes);
    }
    closeSync(file);
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    // The gateway's journal ends with preallocated line ends. The next lines overwrite them.
    let end = whole.length;
    while (whole[end - 1] === "\n" && whole[end - 2] === "\n") end -= 1;
    this.#offset += end === 1 ? 0 : end;
    return whole
      .slice(0, end)
      .split("\n")
      .flatMap((line) => {
        try {
          return [JSON.parse(line) as Line];
        } catch {
          return [];
        }
      });
  }
}

/** The gateway's journal: one file for each hour. The folder may not exist yet. */
export class GrowingJournal {
  readonly #folder: string;
  readonly #files = new Map<string, GrowingLog<JournalFact>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the lines added since the last call. */
  read(): JournalFact[] {
    if (!existsSync(this.#folder)) return [];
    const names = readdirSync(this.#folder).filter((name) => name.startsWith("outcomes-"));
    return names.flatMap((name) => {
      const log = this.#files.get(name) ?? new GrowingLog<JournalFact>(join(this.#folder, name));
      this.#files.set(name, log);
      return log.read();
    });
  }
}

/** Throws for any status but 200. */
export async function readJson<Answer>(
  worker: ReadApi,
  apiKey: string,
  path: string,
): Promise<Answer> {
  const response = await worker.fetch(path, { headers: { Authorization: `Bearer ${apiKey}` } });
  if (response.status !== 200)
    throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/**
 * Returns all events of a team since `start`, or those of one provider. The oldest event is first.
 */
export async function readEvents(
  worker: ReadApi,
  apiKey: string,
  start: number,
  provider: string | null = null,
): Promise<EventFact[]> {
  const events: EventFact[] = [];
  let after: string | null = null;
  do {
    const query = new URLSearchParams({
      limit: "100",
      start: new Date(start).toISOString(),
      ...(provider === null ? {} : { provider }),
      ...(after === null ? {} : { after }),
    });
    const page: EventPage = await readJson(worker, apiKey, `/v1/events?${query.toString()}`);
    events.push(...page.data);
    after = page.next_cursor;
  } while (after !== null);
  return events.toReversed();
}
