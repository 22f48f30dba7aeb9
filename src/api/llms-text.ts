// GET /llms.txt tells a coding agent how to use this deployment, in one page of Markdown
// (llmstxt.org). The code makes the page from the endpoints table, as it makes the OpenAPI
// document.
import type { Context } from "hono";
import { type Endpoint, templatedPath } from "../endpoint.ts";
import type { ApiContext } from "./api-context.ts";

const CACHE_SECONDS = 300;

const MESSAGE = {
  from: "Hello <hello@example.com>",
  to: ["ada@example.net"],
  subject: "Hello",
  text: "It works.",
};

/** Returns the handler of GET /llms.txt. */
export function serveLlmsText(
  endpoints: readonly Endpoint[],
): (c: Context<ApiContext>) => Response {
  return (c) =>
    new Response(pageFor(endpoints, new URL(c.req.url).origin), {
      headers: {
        "Content-Type": "text/plain; charset=utf-8",
        "Cache-Control": `public, max-age=${CACHE_SECONDS}`,
      },
    });
}

function pageFor(endpoints: readonly Endpoint[], origin: string): string {
  const listed = endpoints
    .filter(({ permission, internal }) => ["full", "send"].includes(permission) && !internal)
    .map(({ method, path, summary }) => `- \`${method} ${templatedPath(path)}\`: ${summary}`);
  return `# Postern

> Transactional email over an HTTP JSON API. Every request to ${origin} below /v1 carries \`Authorization: Bearer <API_KEY>\`.

Send a message:

\`\`\`sh
curl -sS ${origin}/v1/email -H "Authorization: Bearer $POSTERN_API_KEY" -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(MESSAGE)}'
\`\`\`

In TypeScript, with the package \`postern\`:

\`\`\`ts
import { Postern, verifyWebhook } from "postern";
const postern = new Postern(process.env.POSTERN_API_KEY, { baseUrl: "${origin}" });
await postern.emails.send(${JSON.stringify(MESSAGE)});
for await (const event of postern.events.list({ recipient: "ada@example.net" })) console.log(event.type);
const { events } = await verifyWebhook(body, request.headers, secret);
\`\`\`

A 202 means that the message is stored. \`Idempotency-Key\` makes a send repeatable. Errors are \`{"error": {"type", "message", "errors"?}}\`; a 429 has \`Retry-After\`. Lists have \`limit\`, \`after\` and \`next_cursor\`. Mail to \`delivered@\` and \`bounced@\` of the simulator's domain reaches no person.

## Documents

- [OpenAPI 3.1 document](${origin}/openapi.json): every field, status and example
- [Reference](${origin}/docs): the same to read
- [Model Context Protocol](${origin}/mcp): the endpoints as tools, by POST with the same key; \`npx postern mcp\` serves them over standard input

## Endpoints

${listed.join("\n")}
`;
}
