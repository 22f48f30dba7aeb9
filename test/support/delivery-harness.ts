// Checks the headers and bodies of webhook deliveries against the `webhooks` of the service's own
// OpenAPI document, which must name every member. An error thrown in a receiver would only look
// like a failed delivery, so the problems are collected for test/support/setup.ts.
import type { Schema } from "@cfworker/json-schema";
import { type MediaType, openApi, problemsOf } from "./openapi-shapes.ts";

/** A request that a webhook's receiver got. */
export interface ReceivedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly redirect: string;
}

interface WebhookOperation {
  readonly post: {
    readonly parameters: readonly { readonly name: string; readonly schema: Schema }[];
    readonly requestBody: { readonly content: { readonly "application/json": MediaType } };
  };
}

interface Event {
  readonly type?: string;
  readonly event?: string;
}

let problems: string[] = [];

/** Returns the problems of all webhook deliveries since the last call of this function. */
export function takeDeliveryProblems(): readonly string[] {
  const found = problems;
  problems = [];
  return found;
}

/**
 * Checks a request to a receiver. Skips requests that are not deliveries, and events that a test
 * invented.
 */
export async function checkDelivery({
  headers,
  body,
}: Pick<ReceivedRequest, "headers" | "body">): Promise<void> {
  const types = "webhook-signature" in headers ? typesIn(body) : [];
  if (types.length === 0) return;
  const document = await openApi();
  const webhooks = (document as unknown as { webhooks: Readonly<Record<string, WebhookOperation>> })
    .webhooks;
  for (const type of new Set(types)) problems.push(...problemsWith(type, webhooks[type]));

  function problemsWith(type: string, operation: WebhookOperation | undefined): string[] {
    if (!operation) return [`${type} is not among the document's webhooks`];
    const { parameters, requestBody } = operation.post;
    const wrongHeaders = parameters.flatMap(({ name, schema }) => {
      const value = headers[name.toLowerCase()];
      return value === undefined
        ? ["is missing"]
        : problemsOf(document, schema, value, false).map(
            (problem) => `${name} ${value}: ${problem}`,
          );
    });
    const schema = requestBody.content["application/json"].schema;
    const wrongBody = problemsOf(document, schema, JSON.parse(body), true);
    return [...wrongHeaders, ...(wrongBody.length === 0 ? [] : [...wrongBody, body])].map(
      (problem) => `delivery of ${type}: ${problem}`,
    );
  }
}

/** Names the entries of the document's `webhooks` that describe the body. */
function typesIn(body: string): string[] {
  try {
    const { events, data } = JSON.parse(body) as { events?: readonly Event[]; data?: object };
    if (data !== undefined) return ["resend"];
    return (events ?? []).flatMap(({ type, event }) => type ?? event ?? []);
  } catch {
    return [];
  }
}
