// Logs and counts the events of one SMTP session: its admission or refusal, refused commands, and
// messages with their replies. The log has codes and sizes, but no mail address and no server's
// text.
import type { Cap } from "./connection-caps.ts";
import { log, stackOf } from "../gateway-log.ts";
import type { GatewayMetrics } from "../gateway-metrics.ts";
import { enhancedCode, type ReceiveResult } from "./replies.ts";

/** Matches a text that begins with an enhanced code. */
export const OWN_CODE = /^([245]\.\d{1,3}\.\d{1,3}) /;

/** Commands whose refusals are counted by name. All others are counted as `other`. */
const COMMANDS = new Set(
  "ehlo helo starttls auth mail rcpt data bdat rset noop vrfy expn help quit".split(" "),
);

export class SessionRecord {
  readonly #metrics: GatewayMetrics;
  readonly #session: string;
  readonly #client: string;
  /** The command that the session handles now. Refusals are counted under its name. */
  #command = "connect";

  constructor(metrics: GatewayMetrics, session: string, client: string) {
    this.#metrics = metrics;
    this.#session = session;
    this.#client = client;
  }

  noteAdmission(): void {
    this.#metrics.count("postern_gateway_sessions_total");
  }

  noteRefusal(cap: Cap): void {
    log("info", "session_refused", { client: this.#client, cap });
    this.#metrics.count("postern_gateway_sessions_refused_total", [cap]);
  }

  noteDisplacement(): void {
    log("info", "session_displaced", { session: this.#session, client: this.#client });
    this.#metrics.count("postern_gateway_sessions_displaced_total");
  }

  noteRefusedKey(code: number): void {
    log("info", "authentication_refused", { session: this.#session, client: this.#client, code });
  }

  /**
   * Records which command begins. `verb` is the command in lower case, or `message` at the end of a
   * message.
   */
  beginCommand(verb: string): void {
    this.#command = verb === "message" || COMMANDS.has(verb) ? verb : "other";
  }

  noteReply(code: number, text: string | string[] | null | undefined): void {
    if (code < 400) return;
    const enhanced = typeof text === "string" ? OWN_CODE.exec(text)?.[1] : undefined;
    const refused = enhanced === undefined ? String(code) : `${code} ${enhanced}`;
    this.#metrics.count("postern_gateway_commands_refused_total", [this.#command, refused]);
  }

  noteMessage(
    kind: "submission" | "report" | "reply",
    { reply, bytes, answer }: Exclude<ReceiveResult, "flood" | null>,
    recipients: number,
    ms: number,
  ): void {
    if (reply.code === 250) {
      this.#metrics.count("postern_gateway_messages_taken_total", [kind]);
      this.#metrics.count("postern_gateway_message_bytes_total", [kind], bytes);
    }
    const id =
      reply.code === 250 && kind === "submission"
        ? reply.text.slice(reply.text.indexOf(" ") + 1)
        : null;
    log("info", kind, {
      session: this.#session,
      client: this.#client,
      code: reply.code,
      enhanced: enhancedCode(reply),
      id,
      recipients,
      bytes,
      request_id: answer?.requestId ?? null,
      ms: Math.round(ms),
    });
  }

  noteFault(error: unknown): void {
    log("error", "session_fault", { session: this.#session, error: stackOf(error) });
  }
}
