// The relay between the worker and one host of the gateway. It counts the host's answers. It can
// also make the host look like an earlier version of the gateway. The earlier version can't be
// asked about copies by key, so the relay answers `/ask` with 404. It ignores the header `Prefer`,
// so the relay drops it, and the host answers about a copy only when the outcome is known. The
// relay also removes members of the answers that the earlier version does not send
// (docs/egress-protocol.md).
import { type IncomingMessage, request as requestOver, type ServerResponse } from "node:http";
import { pipeline, Transform } from "node:stream";
import type { Cleanup } from "../../harness/cleanup.ts";
import { serveOnLoopback } from "../loopback-server.ts";
import type { CountedLine, EgressTally } from "./egress-tally.ts";

interface Line extends CountedLine {
  readonly taken_ms_ago?: number;
  readonly replied_ms_ago?: number;
}

/**
 * The value of the header `Prefer`. A consumer waits one second for outcomes, which is shorter than
 * in production. During a storm, it therefore often stops waiting before it knows the outcome of a
 * copy.
 */
const STAY = "wait=1";
const OUTCOMES = new Set(["reply", "failure"]);
const LF = "\n";

export class EgressRelay {
  readonly #target: string;
  readonly #tally: EgressTally;
  /** True: the host looks like an earlier version. */
  isOld = false;
  /** True: the worker knows that the host is leaving, and must not give it mail. */
  isLeaving = false;

  /** `target` is the host's own URL. */
  constructor(target: string, tally: EgressTally) {
    this.#target = target;
    this.#tally = tally;
  }

  /** Resolves with the port. */
  listen(cleanup: Cleanup): Promise<number> {
    return serveOnLoopback(cleanup, (request, response) => this.#relay(request, response));
  }

  #relay(request: IncomingMessage, response: ServerResponse): void {
    response.on("error", () => undefined);
    const { prefer, connection: _, ...others } = request.headers;
    const isAsk = request.url === "/ask";
    if (isAsk && this.isOld) {
      this.#tally.note("questions that an earlier version refused");
      request.resume();
      return void response.writeHead(404).end(`{"error":"no such path"}`);
    }
    if (!isAsk && this.isLeaving) this.#tally.wrong.push("mail for a host that is leaving");
    const headers = prefer === undefined || this.isOld ? others : { ...others, prefer: STAY };
    const onwards = requestOver(this.#target + request.url, {
      method: request.method,
      headers,
      agent: false,
    });
    // An error means that the host was killed or that the worker ended the request.
    onwards.on("error", () => response.destroy());
    request.on("error", () => onwards.destroy());
    response.on("close", () => response.writableFinished || onwards.destroy());
    onwards.on("response", (answer) => {
      const { connection: __, "keep-alive": ___, "content-length": ____, ...rest } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, rest).flushHeaders();
      pipeline(answer, this.#lines(isAsk), response, () => undefined);
    });
    request.pipe(onwards);
  }

  /**
   * Counts the lines of an answer. If the relay plays an earlier version of the gateway, it also
   * drops lines and members that the earlier version does not send.
   */
  #lines(isAsk: boolean): Transform {
    let rest = "";
    const relayed = (text: string): string => this.#relayed(text, isAsk);
    return new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const lines = (rest + chunk.toString("utf8")).split(LF);
        rest = lines.pop() ?? "";
        done(null, lines.map(relayed).join(""));
      },
      flush(done) {
        done(null, rest);
      },
    });
  }

  /** Returns the line with its line end. An empty string drops the line. */
  #relayed(text: string, isAsk: boolean): string {
    const line = parse(text);
    if (!line) return text + LF;
    this.#tally.noteLine(line, isAsk, this.#target);
    if (!this.isOld) return text + LF;
    const { taken_ms_ago: _, replied_ms_ago: __, ...known } = line;
    return OUTCOMES.has(line.kind) ? JSON.stringify(known) + LF : "";
  }
}

/** Parses a line of an answer. Returns null if the line is invalid or empty. */
function parse(text: string): Line | null {
  try {
    const line = JSON.parse(text) as Partial<Line>;
    return typeof line.key === "string" && typeof line.kind === "string" ? (line as Line) : null;
  } catch {
    return null;
  }
}
