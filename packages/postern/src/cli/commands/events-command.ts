// `postern events`: the events of the mail. `--follow` also shows new events as they occur.
import { setTimeout as wait } from "node:timers/promises";
import type { Postern } from "../../client/postern.ts";
import type { Event, ListEventsQuery } from "../../generated/types.ts";
import { firstOf } from "../request-actions.ts";
import type { SingleCommand } from "../command.ts";
import { definedMembers, type ParsedArguments, type OptionTable } from "../parsed-arguments.ts";
import type { CommandOutput } from "../command-output.ts";
import { eventLine } from "./event-line.ts";

const LINES = 20;
const PAGE = 100;
const POLL_MS = 2_000;
/** Events can be recorded out of order, so each poll starts this long before the present. */
const OVERLAP_MS = 5 * 60_000;

const OPTIONS: OptionTable = {
  follow: { short: "f", summary: "Also show new events, until Ctrl-C" },
  limit: { value: "<n>", summary: `Events to show; ${LINES} by default` },
  since: { value: "<time>", summary: "From this date or time; default: 24 hours ago" },
  recipient: { value: "<address>", summary: "Filter by recipient" },
  "recipient-domain": { value: "<domain>", summary: "Filter by domain" },
  provider: { value: "<provider>", summary: "Filter by provider, such as google" },
  type: { value: "<type>", summary: "Filter by type, such as bounced" },
  email: { value: "<id>", summary: "Filter by message" },
  topic: { value: "<topic>", summary: "Filter by topic" },
  campaign: { value: "<campaign>", summary: "Filter by campaign" },
  tag: { multiple: true, value: "<tag>", summary: "Filter by any of these tags" },
  subject: { value: "<words>", summary: "Only with all of these words in the subject" },
};

export const EVENTS_COMMAND: SingleCommand = {
  name: "events",
  summary: "Show the events of the mail",
  options: OPTIONS,
  examples: [
    "postern events --type bounced --since 2026-11-20",
    "postern events --follow",
    "postern events --recipient ada@example.net --json | jq .smtp_code",
  ],
  run: async ({ given, terminal, streams, client }) => {
    const postern = client();
    const since = Date.now();
    const limit = given.count("limit", LINES);
    const query = queryOf(given);
    const page = Math.min(Math.max(limit, 1), PAGE);
    const last = (
      await firstOf(postern.events.list({ ...query, limit: page }), limit)
    ).toReversed();
    for (const event of last) terminal.showOne(event, () => eventLine(event));
    if (!given.has("follow")) return;
    streams.errors.write("postern: waiting for new events; Ctrl-C ends this\n");
    await follow(postern, { ...query, start: new Date(since).toISOString() }, terminal, last);
  },
};

/** Shows each new event once, oldest first. Never returns. Throws if a request fails. */
async function follow(
  postern: Postern,
  query: ListEventsQuery & { readonly start: string },
  terminal: CommandOutput,
  shown: readonly Event[],
): Promise<never> {
  let known = new Set(shown.map(({ id }) => id));
  for (;;) {
    const overlap = new Date(Date.now() - OVERLAP_MS).toISOString();
    const start = overlap > query.start ? overlap : query.start;
    const found: Event[] = [];
    for await (const event of postern.events.list({ ...query, start, limit: PAGE }))
      found.unshift(event);
    for (const event of found.filter(({ id }) => !known.has(id)))
      terminal.showOne(event, () => eventLine(event));
    known = new Set(found.map(({ id }) => id));
    await wait(POLL_MS);
  }
}

function queryOf(given: ParsedArguments): ListEventsQuery {
  const type = given.text("type");
  const full = type === undefined || type.startsWith("email.") ? type : `email.${type}`;
  return definedMembers({
    start: given.text("since"),
    recipient: given.text("recipient"),
    recipient_domain: given.text("recipient-domain"),
    provider: given.text("provider") as ListEventsQuery["provider"],
    event_type: full as ListEventsQuery["event_type"],
    email_id: given.text("email"),
    topic: given.text("topic"),
    campaign: given.text("campaign"),
    tags: [...given.texts("tag")],
    subject: given.text("subject"),
  });
}
