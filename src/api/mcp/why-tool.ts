// The tool `why`: everything that explains what became of mail to an address, in one call.
import { DAY_MS, LONGEST_RETENTION_DAYS } from "../../limits.ts";
import {
  ArgumentError,
  type CallApi,
  resultOf,
  textResult,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "./tool.ts";

const EVENTS = 20;
const NOT_FOUND = 404;

interface EventPage {
  readonly data: readonly { readonly email_id: string }[];
}

interface Timeline {
  readonly recipients: readonly { readonly recipient: string }[];
}

export const WHY_TOOL: Tool = {
  definition: {
    name: "why",
    description:
      "Why mail to an address arrived or did not: whether the address is suppressed and since " +
      "when, its last events, and the newest message's attempts with each mail server's reply.\n\n" +
      "Needs a key with `full` permissions.",
    inputSchema: {
      type: "object",
      properties: { address: { type: "string", description: "Such as `ada@example.net`." } },
      required: ["address"],
    },
    annotations: {
      title: "Why mail to an address arrived or did not",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  isForAnyKey: false,
  run: ({ address }, context) => {
    if (typeof address !== "string" || !address.includes("@"))
      throw new ArgumentError("address", "must be an email address");
    return explain(address.trim().toLowerCase(), context);
  },
};

async function explain(address: string, { callApi, now }: ToolContext): Promise<ToolResult> {
  const encoded = encodeURIComponent(address);
  const start = new Date(now - LONGEST_RETENTION_DAYS * DAY_MS).toISOString();
  const [suppressed, happened] = await Promise.all([
    callApi("GET", `/v1/suppressions/${encoded}`),
    callApi("GET", `/v1/events?recipient=${encoded}&limit=${EVENTS}&start=${start}`),
  ]);
  if (!happened.ok) return resultOf(happened);
  if (!suppressed.ok && suppressed.status !== NOT_FOUND) return resultOf(suppressed);
  const { data } = await happened.json<EventPage>();
  const suppressions = suppressed.ok
    ? (await suppressed.json<{ data: readonly unknown[] }>()).data
    : [];
  const newest = data[0] && (await timelineOf(data[0].email_id, address, callApi));
  return textResult(
    JSON.stringify({
      address,
      is_suppressed: suppressions.length > 0,
      suppressions,
      newest,
      events: data,
    }),
  );
}

/** The newest message with the one recipient that was asked about. */
async function timelineOf(emailId: string, address: string, callApi: CallApi): Promise<unknown> {
  const response = await callApi("GET", `/v1/email/${emailId}`);
  if (!response.ok) return undefined;
  const email = await response.json<Timeline>();
  const own = email.recipients.filter(({ recipient }) => recipient.toLowerCase() === address);
  return { ...email, recipients: own };
}
