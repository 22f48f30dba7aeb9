// Runs the couriers that need a real workerd (src/mail/deliver/couriers). They are bundled as for a
// deployment, in a worker that sends the copies of a request and returns their outcomes. The worker
// trusts the test's certificates as it would trust an operator's: through NODE_EXTRA_CA_CERTS,
// which Miniflare reads when it is loaded.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { patience } from "../../tools/harness/slowness.ts";
import { selfSigned } from "../../tools/harness/smtp/self-signed.ts";
import { COMPATIBILITY, ROOT } from "../../tools/harness/compatibility.ts";

const COURIERS = join(ROOT, "src/mail/deliver/couriers");

const ENTRY = `
import { Buffer } from "node:buffer";
import { cloudflareCourier } from ${JSON.stringify(join(COURIERS, "cloudflare-courier.ts"))};
import { smtpCourier } from ${JSON.stringify(join(COURIERS, "smtp-courier.ts"))};

async function* offer(copies) {
  for (const copy of copies)
    yield { ...copy, bytes: new Uint8Array(Buffer.from(copy.bytes, "base64")) };
}

export default {
  async fetch(request, env) {
    const { relay, timeouts, rounds } = await request.json();
    const courier = relay
      ? smtpCourier(relay, "worker.postern.test", timeouts)
      : cloudflareCourier(env.EMAIL);
    const outcomes = {};
    const keep = (key, outcome) => { outcomes[key] = outcome; };
    await Promise.all(rounds.map((copies) => courier(offer(copies), keep)));
    return Response.json(outcomes);
  },
};`;

/** The certificate of the tests' relays for `localhost`. Each run makes a new one. */
export const CERTIFICATE = selfSigned(["localhost"]);

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
  connect: patience(2_000),
  greeting: patience(400),
  command: patience(400),
  data: patience(400),
  block: patience(400),
  final: patience(400),
  quit: patience(200),
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

export class CourierHarness {
  /** Log lines of workerd. They name the files in which Miniflare stored the mail. */
  readonly log: string[] = [];
  readonly #directory = mkdtempSync(join(tmpdir(), "couriers-"));
  #dispose: () => Promise<void> = () => Promise.resolve();
  #fetch: (body: string) => Promise<unknown> = () => Promise.reject(new Error("not started"));

  async start(): Promise<void> {
    this.#build();
    const authority = join(this.#directory, "authority.pem");
    writeFileSync(authority, CERTIFICATE.cert);
    process.env["NODE_EXTRA_CA_CERTS"] = authority;
    const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = await import("miniflare");
    const lines = this.log;
    class Kept extends Log {
      protected override log(message: string): void {
        lines.push(message);
      }
    }
    const log = new Kept(LogLevel.INFO);
    const worker = {
      name: "couriers",
      modulesRoot: join(this.#directory, "out"),
      modules: [{ type: "ESModule" as const, path: join(this.#directory, "out/entry.js") }],
      compatibilityDate: COMPATIBILITY.date,
      compatibilityFlags: COMPATIBILITY.flags,
      email: {
        send_email: [
          { name: "EMAIL", allowed_sender_addresses: ["shop@example.test", "Shop@Example.test"] },
        ],
      },
    };
    // The runtime workerd logs each failed TLS handshake by itself, so the test ignores these
    // lines.
    const miniflare = new Miniflare(
      convertV4MiniflareOptions({
        host: "127.0.0.1",
        port: 0,
        cf: false,
        workers: [worker],
        log,
        handleStructuredLogs: () => undefined,
      }),
    );
    this.#dispose = () => miniflare.dispose();
    await miniflare.ready;
    this.#fetch = async (body) =>
      (await miniflare.dispatchFetch("http://worker.test/", { method: "POST", body })).json();
  }

  async stop(): Promise<void> {
    await this.#dispose();
    rmSync(this.#directory, { recursive: true });
  }

  /**
   * Sends the copies of each team in one call of the worker. Returns the outcomes by key. If
   * `relay` is null, the Email Service's binding carries the copies.
   */
  async carry(
    relay: CourierRelay | null,
    rounds: readonly (readonly TestCopy[])[],
    timeouts: Partial<typeof TIMEOUTS> = {},
  ): Promise<Outcomes> {
    const body = {
      relay: relay && {
        host: "localhost",
        implicitTls: false,
        username: USERNAME,
        password: PASSWORD,
        ...relay,
      },
      timeouts: { ...TIMEOUTS, ...timeouts },
      rounds: rounds.map((copies) =>
        copies.map(({ message, ...rest }) => ({
          ...rest,
          bytes: Buffer.from(message, "latin1").toString("base64"),
        })),
      ),
    };
    return (await this.#fetch(JSON.stringify(body))) as Outcomes;
  }

  #build(): void {
    mkdirSync(this.#directory, { recursive: true });
    writeFileSync(join(this.#directory, "entry.js"), ENTRY);
    // Wrangler uses this configuration, and so does not look for one in the parent folders.
    const flags = JSON.stringify(COMPATIBILITY.flags);
    const config =
      `name = "couriers"\nmain = "entry.js"\ncompatibility_date = ` +
      `"${COMPATIBILITY.date}"\ncompatibility_flags = ${flags}\n`;
    writeFileSync(join(this.#directory, "wrangler.toml"), config);
    const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
    const args = [wrangler, "deploy", "--dry-run", "--outdir", "out"];
    const built = spawnSync(process.execPath, args, { cwd: this.#directory, encoding: "utf8" });
    if (built.status !== 0) throw new Error(built.stderr);
  }
}
