// Opens an SMTP session, until mail can be sent: greeting, EHLO (or HELO), STARTTLS, AUTH. The
// caller's plan says which features are required. The caller also decides what a failure means.
import { Buffer } from "node:buffer";
import {
  type Capabilities,
  LostConnection,
  NO_CAPABILITIES,
  type SmtpConnection,
  type SmtpTimeouts,
} from "./smtp-connection.ts";
import { isPositive, type Reply } from "./smtp-reply.ts";

interface OpeningPlan {
  /** The name in EHLO. */
  readonly name: string;
  /** True: if the server does not understand EHLO, HELO is sent. */
  readonly allowHelo: boolean;
  /**
   * `offered`: use TLS if the server offers it and accepts STARTTLS. `none`: never use TLS.
   * `required`: without TLS, no session is opened. `implicit`: the connection has TLS from its
   * beginning.
   */
  readonly tls: "offered" | "none" | "required" | "implicit";
  readonly credentials: { readonly username: string; readonly password: string } | null;
  /**
   * Checks the reply to EHLO or HELO. Returns true if the server is this host itself. The session
   * ends in that case.
   */
  readonly isOwnName: (hello: Reply) => boolean;
  readonly timeouts: SmtpTimeouts;
}

/** A step of the opening. The EHLO after the TLS handshake counts as part of `starttls`. */
export type OpeningStep = "greeting" | "helo" | "starttls" | "auth";

export type OpeningResult =
  | { readonly kind: "open" }
  | { readonly kind: "refused"; readonly step: OpeningStep; readonly reply: Reply }
  /** The server does not offer an extension that the plan requires. */
  | { readonly kind: "unsupported"; readonly step: "starttls" | "auth" }
  /** The server has the client's own name, so it is the client's own host. */
  | { readonly kind: "own_name" }
  | { readonly kind: "lost"; readonly step: OpeningStep; readonly lost: LostConnection };

const OPEN: OpeningResult = { kind: "open" };

/** Runs the opening. Closes the connection if the result is not `open`. Never throws. */
export async function openSmtpSession(
  connection: SmtpConnection,
  plan: OpeningPlan,
): Promise<OpeningResult> {
  const result = await new SmtpOpening(connection, plan).run();
  if (result.kind !== "open") connection.close();
  return result;
}

class SmtpOpening {
  readonly #connection: SmtpConnection;
  readonly #plan: OpeningPlan;
  #step: OpeningStep = "greeting";

  constructor(connection: SmtpConnection, plan: OpeningPlan) {
    this.#connection = connection;
    this.#plan = plan;
  }

  async run(): Promise<OpeningResult> {
    try {
      const steps = [
        () => this.#greeting(),
        () => this.#hello(),
        () => this.#startTls(),
        () => this.#authenticate(),
      ];
      for (const step of steps) {
        const result = await step();
        if (result.kind !== "open") return result;
      }
      return OPEN;
    } catch (error) {
      if (!(error instanceof LostConnection)) throw error;
      return { kind: "lost", step: this.#step, lost: error };
    }
  }

  async #greeting(): Promise<OpeningResult> {
    const greeting = await this.#connection.reply(this.#plan.timeouts.greeting);
    if (!isPositive(greeting)) return { kind: "refused", step: "greeting", reply: greeting };
    this.#step = "helo";
    return OPEN;
  }

  async #hello(): Promise<OpeningResult> {
    const { name, allowHelo, isOwnName } = this.#plan;
    let hello = await this.#command(`EHLO ${name}`);
    this.#connection.capabilities = isPositive(hello) ? capabilitiesOf(hello) : NO_CAPABILITIES;
    // Only a 5xx says that the server does not understand EHLO.
    if (allowHelo && hello.code >= 500) hello = await this.#command(`HELO ${name}`);
    if (!isPositive(hello)) return { kind: "refused", step: "helo", reply: hello };
    return isOwnName(hello) ? { kind: "own_name" } : OPEN;
  }

  async #startTls(): Promise<OpeningResult> {
    const { tls, timeouts } = this.#plan;
    const isOffered = this.#connection.capabilities.startTls;
    if (tls === "none" || tls === "implicit" || (tls === "offered" && !isOffered)) return OPEN;
    if (!isOffered) return { kind: "unsupported", step: "starttls" };
    this.#step = "starttls";
    const reply = await this.#command("STARTTLS");
    if (!isPositive(reply)) {
      // If TLS is not required and the server declines STARTTLS, the session continues without TLS.
      if (tls === "offered" && reply.code !== 421) return OPEN;
      return { kind: "refused", step: "starttls", reply };
    }
    await this.#connection.upgrade(tls === "required", timeouts.command);
    return this.#hello();
  }

  /** Authenticates (RFC 4954) by PLAIN. If the server does not offer PLAIN, uses LOGIN. */
  async #authenticate(): Promise<OpeningResult> {
    const { credentials } = this.#plan;
    if (!credentials) return OPEN;
    if (this.#connection.tls === null) throw new Error("credentials before TLS");
    this.#step = "auth";
    const { username, password } = credentials;
    const { auth } = this.#connection.capabilities;
    const isPlain = auth.has("PLAIN");
    if (!isPlain && !auth.has("LOGIN")) return { kind: "unsupported", step: "auth" };
    let reply = await this.#command(
      isPlain ? `AUTH PLAIN ${base64(`\0${username}\0${password}`)}` : "AUTH LOGIN",
    );
    for (const answer of isPlain ? [] : [username, password]) {
      if (reply.code !== 334) break;
      reply = await this.#command(base64(answer));
    }
    return isPositive(reply) ? OPEN : { kind: "refused", step: "auth", reply };
  }

  #command(line: string): Promise<Reply> {
    return this.#connection.command(line, this.#plan.timeouts.command);
  }
}

function capabilitiesOf({ lines }: Reply): Capabilities {
  const offered = lines.slice(1).map((line) =>
    line
      .trim()
      .toUpperCase()
      .split(/[\s=]+/),
  );
  const keywords = new Set(offered.map(([keyword]) => keyword));
  const mechanisms = offered.flatMap(([keyword, ...rest]) => (keyword === "AUTH" ? rest : []));
  return {
    pipelining: keywords.has("PIPELINING"),
    size: keywords.has("SIZE"),
    eightBitMime: keywords.has("8BITMIME"),
    smtpUtf8: keywords.has("SMTPUTF8"),
    startTls: keywords.has("STARTTLS"),
    auth: new Set(mechanisms),
  };
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
