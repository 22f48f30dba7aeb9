// Mail servers that treat a used connection unlike a fresh one, and the outcomes of messages there.
// The gateway and the worker's courier `smtp` use the same SMTP client, so both run every case.
import type { FakeMx, Script } from "./fake-mx.ts";

interface ReuseMail {
  readonly key: string;
  readonly mailFrom: string;
  readonly rcptTo: string;
}

/**
 * Sends the mails to a server that plays `script`, over at most `LANES` connections at once.
 * Returns the outcome of each mail by its key.
 */
export type ReuseRunner = (
  script: Script,
  mails: readonly ReuseMail[],
) => Promise<{
  readonly mx: FakeMx;
  readonly outcomes: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}>;

interface ReuseCase {
  readonly script: () => Script;
  /** The expected outcome for each kind of mail that is not delivered. */
  readonly refused?: Partial<Record<Kind, object>>;
  readonly most: { readonly connections: number; readonly mailCommands?: number };
}

type Kind = "good" | "spam" | "blocked";

/** The most connections that the gateway, or the courier `smtp`, opens at once. */
export const LANES = 4;
/** Long time limits, which a busy machine cannot exceed. No case here tests a timeout. */
export const PATIENT = {
  connect: 30_000,
  greeting: 30_000,
  command: 30_000,
  data: 30_000,
  block: 30_000,
  final: 30_000,
};
/** Number of mails of each kind. */
const EACH = 8;
const ALL = 3 * EACH;
const SPAM = { kind: "reply", code: 554, enhanced: "5.7.1", stage: "end" };
const BLOCKED = { kind: "reply", code: 550, enhanced: "5.1.8", stage: "mail" };
/**
 * The number of messages that the client may have refused before it knows the server's rule: two
 * for each connection that it opens at once.
 */
const UNKNOWING = 2 * LANES;

/** A transaction as the mail server sees it: whether it is open, and its recipient. */
interface ServedTransaction {
  isOpen: boolean;
  to: string;
}

/** A mail server that keeps the SMTP transaction open after it refused a message. */
function keepingOpen(): Script {
  const served = new Map<number, ServedTransaction>();
  const on = (connection: number): ServedTransaction =>
    served.get(connection) ?? served.set(connection, { isOpen: false, to: "" }).get(connection)!;
  return {
    mail: (_line, _count, connection) => {
      const transaction = on(connection);
      if (transaction.isOpen) return "503 5.5.1 nested MAIL command";
      transaction.isOpen = true;
      return "250 2.1.0 ok";
    },
    rcpt: (line, _count, connection) => {
      on(connection).to = line;
      return "250 2.1.5 ok";
    },
    end: (_line, _count, connection) => {
      const transaction = on(connection);
      if (transaction.to.includes("spam")) return "554 5.7.1 rejected as spam";
      transaction.isOpen = false;
      return "250 2.0.0 queued";
    },
    rset: (_line, _count, connection) => {
      on(connection).isOpen = false;
      return "250 2.0.0 ok";
    },
  };
}

/**
 * Makes a server refuse a command from the nth time on. The times are counted for each connection.
 */
const from =
  (nth: number, refusal: string) =>
  (_line: string, count: number): string =>
    count < nth ? "250 ok" : refusal;

const ONE_EACH = { connections: ALL + LANES, mailCommands: ALL + UNKNOWING };

export const REUSE_CASES: readonly (readonly [name: string, ReuseCase])[] = [
  [
    "keeps the transaction of a refused message open",
    { script: keepingOpen, refused: { spam: SPAM }, most: { connections: LANES } },
  ],
  [
    "keeps the transaction open and refuses RSET, while the next DATA is on its way",
    {
      script: () => ({ ...keepingOpen(), rset: "502 5.5.1 what?" }),
      refused: { spam: SPAM },
      most: { connections: LANES + EACH },
    },
  ],
  ...["503 5.5.1 nested", "550 5.5.1 one only", "554 one only", "452 4.5.3 one only"].map(
    (refusal) =>
      [
        `takes one message a connection: ${refusal}`,
        { script: () => ({ mail: from(2, refusal) }), most: ONE_EACH },
      ] as const,
  ),
  [
    "takes one message a connection, but still asks for the text of a second one",
    {
      script: () => ({ mail: from(2, "550 one only"), rcpt: () => "250 ok", data: () => "354 go" }),
      most: ONE_EACH,
    },
  ],
  [
    "calls a second message's RCPT out of order",
    { script: () => ({ rcpt: from(2, "503 5.5.1 what for?") }), most: ONE_EACH },
  ],
  [
    "takes three messages a connection",
    {
      script: () => ({ mail: from(4, "450 4.5.3 enough") }),
      most: { connections: ALL / 3 + LANES + UNKNOWING },
    },
  ],
  [
    "says 421 to a second message",
    {
      script: () => ({
        mail: (_line, count) =>
          count < 2 ? "250 ok" : { act: "say_and_drop", text: "421 4.4.5 enough" },
      }),
      most: { connections: ALL + LANES },
    },
  ],
  [
    "refuses a sender on any connection",
    {
      script: () => ({
        mail: (line) => (line.includes("@blocked.") ? "550 5.1.8 blocked" : "250 ok"),
      }),
      refused: { blocked: BLOCKED },
      most: { connections: 2 * LANES },
    },
  ],
  [
    "refuses a sender on any connection, and takes one message on each",
    {
      script: () => ({
        mail: (line, count) =>
          line.includes("@blocked.")
            ? "550 5.1.8 blocked"
            : count > 1
              ? "550 5.5.1 one only"
              : "250 ok",
      }),
      refused: { blocked: BLOCKED },
      most: { connections: ALL + UNKNOWING, mailCommands: ALL + 2 * UNKNOWING },
    },
  ],
];

/**
 * Runs a case. Returns the facts that differ from the expectation as `found`, and the expected
 * values of these facts as `expected`.
 */
export async function runReuseCase(
  run: ReuseRunner,
  { script, refused = {}, most }: ReuseCase,
  ehlo: Script["ehlo"],
): Promise<{ readonly found: object; readonly expected: object }> {
  const kinds: readonly Kind[] = ["good", "spam", "blocked"];
  const mails = Array.from({ length: ALL }, (_, at) => {
    const kind = kinds[at % kinds.length]!;
    return {
      key: `${kind}/${at}/1`,
      mailFrom: `b+${at}@${kind === "blocked" ? "blocked" : "bounces"}.example.test`,
      rcptTo: `${kind}${at}@receiver.example`,
    };
  });
  const { mx, outcomes } = await run({ ...script(), ...(ehlo !== undefined && { ehlo }) }, mails);
  const delivered = { kind: "reply", code: 250, stage: "end" };
  const expectedOf = (key: string): object => refused[key.split("/", 1)[0] as Kind] ?? delivered;
  const mailCommands = mx.lines.filter((line) => line.startsWith("MAIL")).length;
  return {
    found: {
      outcomes: Object.fromEntries(outcomes),
      taken: mx.messages.length,
      tooManyConnections: Math.max(0, mx.connections.length - most.connections),
      tooManyMailCommands: Math.max(0, mailCommands - (most.mailCommands ?? mailCommands)),
    },
    expected: {
      outcomes: Object.fromEntries(mails.map(({ key }) => [key, expectedOf(key)])),
      // The server rejects a blocked sender at MAIL FROM, so the gateway never sends such a
      // message's data. A message that is refused after its data is sent only once.
      taken: refused.blocked ? ALL - EACH : ALL,
      tooManyConnections: 0,
      tooManyMailCommands: 0,
    },
  };
}
