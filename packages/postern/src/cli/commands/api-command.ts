// `postern api`: one request to any endpoint, with the deployment's key. The answer's bytes go to
// standard output as they arrive. On a terminal, JSON is indented.
import { once } from "node:events";
import { buffer, text } from "node:stream/consumers";
import { errorOf, reasonOf, UnreachableError } from "../../client/client-errors.ts";
import type { ChosenDeployment } from "../chosen-deployment.ts";
import type { SingleCommand } from "../command.ts";
import { wrongUsage } from "../exit-codes.ts";
import { readBytes } from "../file-access.ts";
import type { ParsedArguments, OptionTable } from "../parsed-arguments.ts";
import { printWarnings } from "../ignored-warnings.ts";
import { knownWords } from "../nearest-word.ts";
import { printable, printableJson, printableText } from "../printable.ts";
import type { ProgramStreams } from "../program-streams.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const BODILESS = /^(?:GET|HEAD)$/;
const ANSWER_BEGINS_MS = 60_000;

const OPTIONS: OptionTable = {
  data: {
    short: "d",
    value: "<body>",
    summary: "The JSON body; @<file> reads a file, - reads standard input",
  },
  header: {
    short: "H",
    multiple: true,
    value: "<name: value>",
    summary: "A header of the request, such as Content-Type for a body that is not JSON",
  },
  include: { short: "i", summary: "Print the answer's status and headers first" },
};

export const API_COMMAND: SingleCommand = {
  name: "api",
  summary: "Make a request to any endpoint of the API",
  takes: "<method> <path>",
  options: OPTIONS,
  examples: [
    "postern api GET '/v1/events?limit=5'",
    `postern api POST /v1/domains --data '{"name":"example.com"}'`,
    "postern api POST /v1/email --data @message.json --header 'Idempotency-Key: receipt-4711'",
    "postern api GET /v1/suppressions/export > suppressions.csv",
  ],
  run: async ({ given, streams, deployment }) => {
    const request = await requestOf(given, streams);
    const response = await answerTo(given.positional(1), request, deployment());
    printWarnings(response, streams.errors);
    if (given.has("include")) streams.output.write(headText(response));
    if (response.status >= 400) throw errorOf(response, await text(piecesOf(response)));
    await print(response, streams.output);
  },
};

async function requestOf(given: ParsedArguments, { input }: ProgramStreams) {
  const [method, path] = [given.positional(0).toUpperCase(), given.positional(1)];
  if (!METHODS.includes(method))
    throw wrongUsage(`there is no method ${method}${knownWords(method, METHODS)}`);
  if (!path.startsWith("/"))
    throw wrongUsage(`the path must begin with a slash, such as /v1/whoami: ${path}`);
  const headers = headersOf(given.repeated("header"));
  const data = given.text("data");
  if (data === undefined) return { method, headers };
  if (BODILESS.test(method)) throw wrongUsage(`${method} takes no --data, only a query`);
  const body = await bodyIn(data, input);
  if (!headers.has("Content-Type")) {
    if (!isJson(body.toString()))
      throw wrongUsage("--data is not JSON: name its type with --header 'Content-Type: …'");
    headers.set("Content-Type", "application/json");
  }
  return { method, headers, body: new Uint8Array(body) };
}

function headersOf(lines: readonly string[]): Headers {
  const headers = new Headers();
  for (const line of lines) {
    const [, name = "", value = ""] = /^([^:]+):(.*)$/s.exec(line) ?? [];
    try {
      headers.append(name, value.trim());
    } catch {
      throw wrongUsage(`--header is not "Name: value": ${line}`);
    }
  }
  return headers;
}

async function bodyIn(data: string, input: ProgramStreams["input"]): Promise<Buffer> {
  if (data === "-") return buffer(input);
  return data.startsWith("@") ? readBytes(data.slice(1)) : Buffer.from(data);
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

/** Makes the request once. Redirects are not followed, because a POST would become a GET. */
async function answerTo(
  path: string,
  { headers, ...request }: { readonly headers: Headers } & RequestInit,
  { url, key }: ChosenDeployment,
): Promise<Response> {
  if (!headers.has("Authorization")) headers.set("Authorization", `Bearer ${key}`);
  const begins = new AbortController();
  const timer = setTimeout(() => begins.abort(new Error("it took too long")), ANSWER_BEGINS_MS);
  const { signal } = begins;
  try {
    return await fetch(url + path, { ...request, headers, signal, redirect: "manual" });
  } catch (cause) {
    throw new UnreachableError(`${url} gave no answer: ${reasonOf(cause)}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

function headText({ status, statusText, headers }: Response): string {
  const lines = Array.from(headers, ([name, value]) => printable(`${name}: ${value}`));
  return `HTTP ${status} ${statusText}`.trimEnd() + `\n${lines.join("\n")}\n\n`;
}

async function print(response: Response, output: ProgramStreams["output"]): Promise<void> {
  const isJsonAnswer = /^application\/(?:.+\+)?json\b/.test(
    response.headers.get("Content-Type") ?? "",
  );
  if (isJsonAnswer) {
    const json = (await text(piecesOf(response))).trimEnd();
    const shown = output.isTTY && isJson(json) ? printableJson(JSON.parse(json), 2) : json;
    if (json !== "") output.write(`${shown}\n`);
    return;
  }
  const pieces = output.isTTY ? printableLines(response) : piecesOf(response);
  for await (const piece of pieces) if (!output.write(piece)) await once(output, "drain");
}

async function* piecesOf({ body, url }: Response): AsyncGenerator<Uint8Array, undefined> {
  try {
    for await (const piece of body ?? []) yield piece;
  } catch (cause) {
    throw new UnreachableError(`the answer of ${url} broke off: ${reasonOf(cause)}`, { cause });
  }
}

/** A text from the API keeps its line breaks, but not its control characters. */
async function* printableLines(response: Response): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let line = "";
  for await (const piece of piecesOf(response)) {
    const lines = (line + decoder.decode(piece, { stream: true })).split("\n");
    line = lines.pop() ?? "";
    if (lines.length > 0) yield printableText(`${lines.join("\n")}\n`);
  }
  if (line !== "") yield `${printableText(line)}\n`;
}
