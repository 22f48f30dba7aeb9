// The inbox is a mail server that accepts mail for every domain. In the local stack, it plays all
// mail servers of other operators. Over HTTP it serves the messages, the rules that make it
// misbehave, and a web page for reading the mail (docs/local.md §The inbox).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkMessage } from "./inbox-check.ts";
import { InboxRule, type InboxRules } from "./inbox-rules.ts";
import { MessageSearch } from "./inbox-search.ts";
import { REPLY_PROGRAMS, writeReply, type WrittenReply } from "./reply-programs.ts";
import { MessageStore } from "./inbox-store.ts";
import { attachmentDownload, htmlDocument, viewMessage } from "./inbox-view.ts";
import {
  type LocalReply,
  type HttpRequest,
  Problem,
  jsonBody,
  jsonReply,
  serveHttp,
} from "../http-server.ts";
import { type HandOn, receiveMail } from "./mail-server.ts";
import { RuleList } from "../rule-list.ts";

/** The files of the web page, by path. */
const PAGE: ReadonlyMap<string, { readonly file: string; readonly type: string }> = new Map([
  ["", { file: "inbox-page.html", type: "text/html" }],
  ["inbox.css", { file: "inbox-page.css", type: "text/css" }],
  ["inbox-parts.js", { file: "inbox-parts.js", type: "text/javascript" }],
  ["inbox.js", { file: "inbox-page.js", type: "text/javascript" }],
]);
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src " +
  "'self'; img-src data:; frame-ancestors 'none'";

export interface Inbox {
  readonly httpPort: number;
  readonly mxPort: number;
  close(): Promise<void>;
}

export interface InboxDoors {
  /** Receives each message before the inbox stores it, and may refuse it. */
  readonly handOn?: HandOn;
  /** Sends the answers that a person writes in the inbox. Absent: the inbox refuses them. */
  readonly answer?: Answer;
}

const refuseAnswer: Answer = () => Promise.reject(new Problem(404, "this inbox can't answer mail"));

/**
 * Starts the web page on 127.0.0.1, and a mail server on each address in `mxHosts`. Both use the
 * messages and rules that are stored in `directory`. Port 0 means any free port.
 */
export async function startInbox(
  ports: { http: number; mx: number },
  directory: string,
  mxHosts: readonly string[] = ["127.0.0.1"],
  { handOn, answer = refuseAnswer }: InboxDoors = {},
): Promise<Inbox> {
  const store = new MessageStore(directory);
  const search = new MessageSearch(store);
  const rules = new RuleList(join(directory, "rules.json"), InboxRule);
  const receiver = await receiveMail(
    ports.mx,
    { rules, handOn, keep: (raw, envelope) => store.add(raw, envelope) },
    mxHosts,
  );
  const server = await serveHttp(ports.http, (request) =>
    route(request, { store, search, rules, answer }),
  );
  return {
    httpPort: server.port,
    mxPort: receiver.port,
    async close() {
      await Promise.all([server.close(), receiver.close()]);
      store.close();
    },
  };
}

interface Room {
  readonly store: MessageStore;
  readonly search: MessageSearch;
  readonly rules: InboxRules;
  readonly answer: Answer;
}

type Answer = (reply: WrittenReply) => Promise<string>;

async function route(request: HttpRequest, room: Room): Promise<LocalReply> {
  const { store, search, rules } = room;
  const [api = "", noun, id, part, index] = request.path;
  const page = request.path.length === 1 ? PAGE.get(api) : undefined;
  if (page) return only(request, "GET", () => pagePart(page.file, page.type));
  if (api !== "api") throw new Problem(404, "there is nothing here");
  if (noun === "rules" && id === undefined) return routeRules(request, rules);
  if (noun !== "messages") throw new Problem(404, "there is nothing here");
  if (id === undefined) return routeMessages(request, store, search);
  if (part === "reply") return only(request, "POST", () => answerMessage(request, room, id));
  return only(request, "GET", () => routeMessage(store, id, part, index));
}

function routeRules(request: HttpRequest, rules: InboxRules): LocalReply {
  if (request.method === "PUT") rules.replace(jsonBody(request)["rules"]);
  else if (request.method !== "GET") throw new Problem(405, "only GET and PUT");
  return jsonReply(200, rules.list());
}

async function routeMessages(
  request: HttpRequest,
  store: MessageStore,
  search: MessageSearch,
): Promise<LocalReply> {
  if (request.method === "DELETE") {
    store.clear();
    search.clear();
    return { status: 204 };
  }
  const { query } = request;
  return only(request, "GET", async () =>
    jsonReply(
      200,
      await search.find(query.get("q") ?? "", query.get("to"), limitOf(query.get("limit"))),
    ),
  );
}

async function routeMessage(
  store: MessageStore,
  id: string,
  part: string | undefined,
  index: string | undefined,
): Promise<LocalReply> {
  const raw = store.raw(id);
  if (raw === undefined) throw new Problem(404, "there is no such message");
  if (part === undefined) return jsonReply(200, { ...store.find(id), ...(await viewMessage(raw)) });
  if (part === "raw")
    return {
      status: 200,
      headers: { "content-type": "message/rfc822", "x-content-type-options": "nosniff" },
      body: raw,
    };
  if (part === "html") return htmlDocument(raw);
  if (part === "check") return jsonReply(200, { problems: await checkMessage(raw) });
  if (part === "attachments") return attachmentDownload(raw, Number(index ?? "none"));
  throw new Problem(404, "there is nothing here");
}

/** Answers a message as a mail program does. The body is `{program, text}`. */
async function answerMessage(
  request: HttpRequest,
  { store, answer }: Room,
  id: string,
): Promise<LocalReply> {
  const raw = store.raw(id);
  const recipient = store.find(id)?.rcpt_to[0];
  if (raw === undefined || recipient === undefined)
    throw new Problem(404, "there is no such message");
  const { program, text } = jsonBody(request);
  const known = REPLY_PROGRAMS.find((one) => one === program);
  if (known === undefined)
    throw new Problem(400, `program: is not one of ${REPLY_PROGRAMS.join(", ")}`);
  if (typeof text !== "string") throw new Problem(400, "text: is not a string");
  const reply = await writeReply(raw, recipient, known, text);
  return jsonReply(200, { to: reply.rcptTo, answer: await answer(reply) });
}

async function only(
  request: HttpRequest,
  method: string,
  handle: () => LocalReply | Promise<LocalReply>,
): Promise<LocalReply> {
  if (request.method !== method) throw new Problem(405, `only ${method}`);
  return handle();
}

/** Parses the query parameter `limit`. If it is absent, all messages are listed. */
function limitOf(value: string | null): number {
  if (value === null) return Infinity;
  if (!/^[0-9]{1,9}$/.test(value) || Number(value) < 1)
    throw new Problem(400, "limit: is not a whole number of at least 1");
  return Number(value);
}

function pagePart(file: string, type: string): LocalReply {
  const headers = {
    "content-type": `${type}; charset=utf-8`,
    "content-security-policy": PAGE_POLICY,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
  };
  return { status: 200, headers, body: readFileSync(new URL(file, import.meta.url)) };
}
