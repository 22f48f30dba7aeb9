// The tool `check_webhooks` answers in one call which webhooks fail and why. The API's list of
// webhooks does not show failures, and each webhook's deliveries need a request of their own.
import { resultOf } from "./tool-result.ts";
import { type CallApi, readOnly, type Tool, type ToolResult } from "./tool.ts";

/**
 * Maximum number of webhooks that one call checks. Each check counts as one request against the
 * caller's rate.
 */
const CHECKED = 10;
const ATTEMPTS = 5;

interface ListedWebhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly status: string;
}

interface Attempt {
  readonly outcome: string;
  readonly attempted_at: string;
  readonly status_code: number | null;
  readonly error: string | null;
}

interface Checked extends ListedWebhook {
  readonly failed: number;
  readonly deliveries: readonly Attempt[];
}

export const CHECK_WEBHOOKS_TOOL: Tool = {
  definition: {
    name: "check_webhooks",
    description:
      `Which webhooks fail, and why. Shows the status of the newest ${CHECKED} webhooks and ` +
      `the last ${ATTEMPTS} attempts at each, in words and as data. Failing webhooks come ` +
      "first. `list_webhook_deliveries` lists all attempts; `get_webhook_batch` shows the " +
      "receiver's replies. Needs a key with `full` permissions.",
    inputSchema: { type: "object", properties: {} },
    annotations: readOnly("Which webhooks fail, and why"),
  },
  isForAnyKey: false,
  run: async (_, { callApi }) => {
    const listed = await callApi("GET", `/v1/webhooks?limit=${CHECKED}`);
    if (!listed.ok) return resultOf(listed);
    const { data, has_more: hasMore } = await listed.json<{
      readonly data: readonly ListedWebhook[];
      readonly has_more: boolean;
    }>();
    const checked: Checked[] = [];
    for (const webhook of data) {
      const answer = await readAttempts(webhook.id, callApi);
      if (!Array.isArray(answer)) return answer as ToolResult;
      const failed = answer.filter(({ outcome }) => outcome !== "delivered").length;
      checked.push({ ...webhook, failed, deliveries: answer });
    }
    const webhooks = checked.toSorted((one, other) => other.failed - one.failed);
    const rest = hasMore ? [`Only the newest ${CHECKED} webhooks were checked.`] : [];
    const words = [...webhooks.map(wordsFor), ...rest].join("\n");
    return {
      content: [
        { type: "text", text: words === "" ? "There are no webhooks." : words },
        { type: "text", text: JSON.stringify({ webhooks }) },
      ],
      isError: false,
      structuredContent: { webhooks },
    };
  },
};

async function readAttempts(
  id: string,
  callApi: CallApi,
): Promise<readonly Attempt[] | ToolResult> {
  const response = await callApi("GET", `/v1/webhooks/${id}/deliveries?limit=${ATTEMPTS}`);
  if (!response.ok) return resultOf(response);
  return (await response.json<{ readonly data: readonly Attempt[] }>()).data;
}

function wordsFor({ name, url, status, failed, deliveries }: Checked): string {
  const worst = deliveries.find(({ outcome }) => outcome !== "delivered");
  const reason = worst && (worst.error ?? `HTTP ${worst.status_code}`);
  const fate =
    worst === undefined
      ? `${deliveries.length} of its last ${deliveries.length} attempts arrived`
      : `${failed} of its last ${deliveries.length} attempts failed, the newest at ${worst.attempted_at}: ${reason}`;
  return `${name} (${url}) is ${status}: ${deliveries.length === 0 ? "nothing was sent to this webhook in three days" : fate}.`;
}
