// The tool `send_test` sends one message that shows whether the team's mail leaves. By default it
// goes to an address of the simulator, which reaches no person (docs/simulator.md).
import { ArgumentError, type CallApi, textOf, type Tool, type ToolResult } from "./tool.ts";
import { resultOf } from "./tool-result.ts";

const DOMAINS = 100;

interface DomainPage {
  readonly data: readonly { readonly name: string; readonly status: string }[];
}

export const SEND_TEST_TOOL: Tool = {
  definition: {
    name: "send_test",
    description:
      "Sends one test message and answers its id; `get_email` then shows what became of it. " +
      "Without `to` it goes to the simulator, which reaches no person. Without `from` it " +
      "comes from the first verified domain, which only a key with `full` permissions can " +
      "look up. A message to another address can't be undone: ask before you name one.",
    inputSchema: {
      type: "object",
      properties: {
        to: { type: "string", description: "By default `delivered@simulator.<service>`." },
        from: { type: "string", description: "By default `test@<the first verified domain>`." },
      },
    },
    annotations: {
      title: "Send a test message",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  },
  isForAnyKey: true,
  run: async ({ to, from }, { callApi, serviceDomain }) => {
    if (from !== undefined) return send(textOf(from), to, serviceDomain, callApi);
    const listed = await callApi("GET", `/v1/domains?limit=${DOMAINS}`);
    if (!listed.ok) return resultOf(listed);
    const { data } = await listed.json<DomainPage>();
    const domain = data.find(({ status }) => status === "verified");
    if (!domain) throw new ArgumentError("from", "is missing, and the team has no verified domain");
    return send(`test@${domain.name}`, to, serviceDomain, callApi);
  },
};

async function send(
  from: string,
  to: unknown,
  serviceDomain: string,
  callApi: CallApi,
): Promise<ToolResult> {
  const message = {
    from,
    to: [to === undefined ? `delivered@simulator.${serviceDomain}` : textOf(to)],
    subject: "A test message",
    text: "This message was sent to see whether mail leaves. You can delete it.",
  };
  const body = { type: "application/json", text: JSON.stringify(message) };
  return resultOf(await callApi("POST", "/v1/email", body));
}
