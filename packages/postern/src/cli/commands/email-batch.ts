// `postern emails batch`: sends the messages of a file. A batch has at most 100 messages
// (contract.md §Batch), so a longer list is sent in several requests.
import { text } from "node:stream/consumers";
import type { SendBody } from "../../request/send-body.ts";
import type { SendEmailBatchRequest, SendEmailBatchResponse } from "../../generated/types.ts";
import type { CommandInput } from "../command.ts";
import { EXIT, type ExitCode, wrongUsage } from "../exit-codes.ts";
import { failedLine } from "../failure-text.ts";
import { readText } from "../file-access.ts";
import type { OptionTable } from "../parsed-arguments.ts";
import { figure } from "../shown-values.ts";

const MOST = 100;

export const BATCH_OPTIONS: OptionTable = {
  permissive: { summary: "Send the valid messages even if others are invalid" },
  "idempotency-key": {
    value: "<key>",
    summary: "Repeating the command with the same key and file sends nothing more",
  },
};

export async function sendBatchFile(input: CommandInput): Promise<ExitCode> {
  const { given, streams, terminal, client } = input;
  const file = given.positional(0);
  const content = file === "-" ? await text(streams.input) : readText(file);
  const bodies = bodiesOf(messagesIn(content, file));
  const key = given.text("idempotency-key");
  const { emails } = client();
  let [done, failed] = [0, 0];
  for (const [index, body] of bodies.entries()) {
    const options = key === undefined ? {} : { idempotencyKey: keyOf(key, index) };
    const whole = given.has("permissive") ? { ...body, validation: "permissive" as const } : body;
    let answer: SendEmailBatchResponse;
    try {
      answer = await emails.sendBatch(whole as object as SendBody<SendEmailBatchRequest>, options);
    } catch (error) {
      if (done > 0)
        streams.errors.write(
          `postern: the first ${figure(done)} messages of the file were already sent to the API\n`,
        );
      throw error;
    }
    const before = done;
    terminal.showOne(answer, () => answerLines(answer, before).join("\n"));
    done += answer.summary.total;
    failed += answer.summary.failed;
  }
  return failed === 0 ? EXIT.done : EXIT.failed;
}

/** Most files need only one request. This first request uses the idempotency key unchanged. */
function keyOf(key: string, index: number): string {
  return index === 0 ? key : `${key}-${index + 1}`;
}

/** Parses the file: one JSON value, or JSONL. Throws a CommandFailure if it is neither. */
function messagesIn(content: string, file: string): unknown {
  const whole = parse(content);
  if (whole !== undefined) return whole;
  const lines = content
    .split("\n")
    .map((line, index) => ({ line: line.trim(), number: index + 1 }));
  return lines
    .filter(({ line }) => line !== "")
    .map(({ line, number }) => {
      const message = parse(line);
      if (message === undefined)
        throw wrongUsage(`${file} is neither JSON nor JSONL: see its line ${number}`);
      return message;
    });
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Splits a list of messages into the bodies of requests. The body of a batch request stays
 * unchanged, and a single message becomes a batch of one.
 */
function bodiesOf(given: unknown): SendEmailBatchRequest[] {
  if (typeof given === "object" && given !== null && "emails" in given)
    return [given as SendEmailBatchRequest];
  const messages = [given].flat() as SendEmailBatchRequest["emails"];
  if (messages.length === 0) throw wrongUsage("the file has no message");
  return Array.from({ length: Math.ceil(messages.length / MOST) }, (_, part) => ({
    emails: messages.slice(part * MOST, (part + 1) * MOST),
  }));
}

function answerLines({ summary, data }: SendEmailBatchResponse, before: number): readonly string[] {
  const { queued, failed } = summary;
  return [
    `Accepted: ${figure(queued)}${failed === 0 ? "" : `, failed: ${figure(failed)}`}`,
    ...data.map((one) => ({ ...one, index: one.index + before })).flatMap(failedLine),
  ];
}
