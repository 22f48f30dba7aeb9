// The tool `why` shows the answer of GET /v1/recipients/{address}, which explains the outcome of
// mail to an address. The explanation in words comes first.
import { ArgumentError, readOnly, type Tool, type ToolContext, type ToolResult } from "./tool.ts";
import { resultOf } from "./tool-result.ts";

interface Answer {
  readonly explanation: {
    readonly summary: string;
    readonly next: string;
    readonly actions: readonly { readonly text: string }[];
  };
}

export const WHY_TOOL: Tool = {
  definition: {
    name: "why",
    description:
      "Why mail to an address arrived or did not. Answers the reason in words, what the " +
      "service does next and what can be done. Then lists the address's suppressions, last " +
      "messages and event counts. Needs a key with `full` permissions.",
    inputSchema: {
      type: "object",
      properties: {
        address: {
          type: "string",
          description:
            "The whole address, such as `ada@example.net`; `list_recipients` finds it by its beginning.",
        },
      },
      required: ["address"],
    },
    annotations: readOnly("Why mail to an address arrived or did not"),
  },
  isForAnyKey: false,
  run: ({ address }, context) => {
    if (typeof address !== "string" || !address.includes("@"))
      throw new ArgumentError("address", "must be an email address");
    return explain(address.trim(), context);
  },
};

async function explain(address: string, { callApi }: ToolContext): Promise<ToolResult> {
  const response = await callApi("GET", `/v1/recipients/${encodeURIComponent(address)}`);
  const result = await resultOf(response.clone());
  if (!response.ok) return result;
  const { explanation } = await response.json<Answer>();
  const { summary, next, actions } = explanation;
  const words = [summary, next, ...actions.map(({ text }) => text)].join("\n");
  return { ...result, content: [{ type: "text", text: words }, ...result.content] };
}
