// Sends copies through the couriers that need a real workerd (src/mail/deliver/couriers), and returns
// their outcomes.
import { askWorker } from "../plain-workerd.ts";

export interface TestCopy {
  readonly key: string;
  readonly mailFrom: string;
  readonly rcptTo: string;
  readonly sender: string;
  readonly pool: string | null;
  /** The message, as a string with one character for each byte. */
  readonly message: string;
}

export interface CourierRelay {
  readonly host?: string;
  readonly port: number;
  readonly implicitTls?: boolean;
}

export type Outcomes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const USERNAME = "postern";
export const PASSWORD = "correct horse \u2713 battery";
export const HELLO =
  "From: Shop <shop@example.test>\r\nMessage-ID: <1@example.test>\r\nSubject: Hi\r\n\r\nHello.\r\n";

/** Time limits of the SMTP client. They are shorter than the limit of any test. */
const TIMEOUTS = {
  connect: 30_000,
  greeting: 1_500,
  command: 1_500,
  data: 1_500,
  block: 1_500,
  final: 1_500,
  quit: 200,
};

export function testCopy(change: Partial<TestCopy> = {}): TestCopy {
  return {
    key: "a/0/1",
    mailFrom: "b+token@bounces.example.test",
    rcptTo: "ann@receiver.example",
    sender: "shop@example.test",
    pool: null,
    message: HELLO,
    ...change,
  };
}

/**
 * Sends the copies of each team in one call of the worker. Returns the outcomes by key. If `relay`
 * is null, the Email Service's binding carries the copies.
 */
export async function carry(
  relay: CourierRelay | null,
  rounds: readonly (readonly TestCopy[])[],
  timeouts: Partial<typeof TIMEOUTS> = {},
): Promise<Outcomes> {
  const login = { host: "localhost", implicitTls: false, username: USERNAME, password: PASSWORD };
  return (await askWorker("/carry", {
    relay: relay && { ...login, ...relay },
    timeouts: { ...TIMEOUTS, ...timeouts },
    rounds: rounds.map((copies) =>
      copies.map(({ message, ...rest }) => ({
        ...rest,
        bytes: Buffer.from(message, "latin1").toString("base64"),
      })),
    ),
  })) as Outcomes;
}
