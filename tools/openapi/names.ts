// Derives names for the OpenAPI document from an endpoint's method and path: its operation, its
// schemas and its tag. A new endpoint in the table therefore needs no names of its own. An
// endpoint's `operationId` and a schema's `.meta({ id })` replace the derived names. Pure.
import type { Endpoint } from "../../src/endpoint.ts";

/**
 * The document's tags, in the order of the reference. The key is the first segment of a path after
 * its prefix.
 */
export const SECTIONS: Readonly<Record<string, SectionName>> = {
  email: {
    name: "Sending",
    description:
      "Send one message to up to 50 recipients, or up to 100 messages in one request, and " +
      "see what became of them.",
  },
  templates: {
    name: "Templates",
    description: "Reusable content with a draft and a published state.",
  },
  domains: {
    name: "Domains",
    description:
      "The domains that mail is sent from: their DNS records, verification and tracking.",
  },
  suppressions: {
    name: "Suppressions",
    description: "The addresses that nothing is sent to, for every topic or for one.",
  },
  recipients: {
    name: "Recipients",
    description: "Why mail to an address arrived or did not arrive.",
  },
  replies: {
    name: "Replies",
    description: "What people answered to messages with `reply_tracking`.",
  },
  webhooks: { name: "Webhooks", description: "URLs that receive events as signed requests." },
  events: { name: "Events", description: "What became of messages, page by page." },
  stats: {
    name: "Statistics",
    description: "How many recipients got which event, by hour or day.",
  },
  deliverability: {
    name: "Deliverability",
    description: "What mailbox providers did with the mail, and what is wrong.",
  },
  usage: {
    name: "Usage",
    description: "What the team has used of its quotas and caps, and what waits for delivery.",
  },
  requests: {
    name: "Requests",
    description: "The last requests of the team's programs that failed.",
  },
  "api-keys": {
    name: "API keys",
    description: "The team's keys, their permissions and restrictions.",
  },
  whoami: { name: "Identity", description: "The presented key, and what its team may send." },
  team: { name: "Team", description: "What a team sets by itself." },
  session: {
    name: "Console",
    description:
      "Signing in to the console with a browser, and the people of a team. Programs send an API " +
      "key instead.",
  },
  operator: {
    name: "Operator",
    description:
      "For the operator of the service, with the `ADMIN_TOKEN`: teams, jobs that a queue " +
      "gave up, the deployment, metrics, health.",
  },
};

/** The tag for everything of the operator: /admin and the health check. */
export const OPERATOR_SECTION = "operator";

/** The prefixes of ids that are not the resource's noun. */
const ID_PREFIXES: Readonly<Record<string, string>> = {
  "api-keys": "key",
  "dead-letters": "dead",
  imports: "imp",
  requests: "req",
  webhooks: "wh",
};

interface ParameterTexts {
  readonly description: string;
  readonly example: string;
}

const ADDRESS: ParameterTexts = {
  description: "An address, URL-encoded; matched after trimming and lowercasing.",
  example: "someone@example.net",
};

const PARAMETERS: Readonly<Record<string, ParameterTexts>> = {
  email: ADDRESS,
  address: ADDRESS,
  version: { description: "The number of the version.", example: "2" },
  index: { description: "The `index` of the attachment.", example: "0" },
  batch_id: {
    description: "The `batch_id` of a delivery.",
    example: "wb_5e0c1f7a92b34d68a1c0e9f4d7b2a65830c1de4f",
  },
  topic: {
    description: "A topic, or `*` (also as `%2A`) for the entry that holds for every topic.",
    example: "newsletter",
  },
};

interface SectionName {
  readonly name: string;
  readonly description: string;
}

type Named = Pick<Endpoint, "method" | "path" | "operationId" | "paginated">;

/**
 * Returns `domains` for `/v1/domains/:id`, `operator` for `/admin/teams`, and `session` for
 * everything below /console.
 */
export function sectionOf(path: string): string {
  if (path.startsWith("/console/")) return "session";
  return path.startsWith("/admin/") ? OPERATOR_SECTION : nounOf(path);
}

/** Returns `domains` for `/v1/domains/:id`, and `teams` for `/admin/teams`. */
function nounOf(path: string): string {
  return segmentsOf(path)[0] ?? "";
}

export function sectionName(section: string): SectionName {
  return (
    SECTIONS[section] ?? {
      name: section.replaceAll("-", " "),
      description: `Everything below \`${section}\`.`,
    }
  );
}

/** Returns the path's parameters, in their order in the path. */
export function pathParameters(path: string): (ParameterTexts & { readonly name: string })[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    ...(PARAMETERS[name] ?? idParameter(path.includes("/imports/") ? "imports" : nounOf(path))),
  }));
}

/** Returns e.g. `listDomains`, `createDomain`, `getTemplateDraft` or `rotateWebhookSecret`. */
export function operationIdOf(endpoint: Named): string {
  if (endpoint.operationId) return endpoint.operationId;
  const [first = "", ...rest] = staticSegments(endpoint.path);
  const noun = resourceNoun(endpoint.path);
  switch (endpoint.method) {
    case "GET":
      return endpoint.paginated ? `list${pascal(first)}` : `get${noun}`;
    case "PATCH":
      return `update${noun}`;
    case "DELETE":
      return `delete${noun}`;
    case "POST":
      return rest.length === 0
        ? `create${noun}`
        : action(singular(pascal(first)), rest.at(-1) ?? "");
  }
}

/**
 * Names the schema of an endpoint's answer. It is named after the resource for GET, and after the
 * operation for other methods.
 */
export function responseName(endpoint: Named): string {
  return endpoint.method === "GET"
    ? resourceNoun(endpoint.path)
    : operationSchema(endpoint, "Response");
}

/** Returns `TemplateDraft` for `/v1/templates/:id/draft`. */
function resourceNoun(path: string): string {
  const [first = "", ...rest] = staticSegments(path).map(pascal);
  return singular(first) + rest.join("");
}

export function operationSchema(endpoint: Named, suffix: string): string {
  const id = operationIdOf(endpoint);
  return id.charAt(0).toUpperCase() + id.slice(1) + suffix;
}

/** Turns `rotate-secret` of a Webhook into `rotateWebhookSecret`. */
function action(noun: string, segment: string): string {
  const [verb = "", ...words] = segment.split("-");
  return verb + noun + words.map(pascal).join("");
}

function idParameter(noun: string): ParameterTexts {
  const prefix = ID_PREFIXES[noun] ?? singular(noun);
  return {
    description: `The id, \`${prefix}_<uuid>\`${noun === "templates" ? ", or the alias" : ""}.`,
    example: `${prefix}_5f0c8a52-6d0a-4c55-9a3e-2f8f1f4b7d10`,
  };
}

/** Returns the path's segments without its prefix (`v1`, `admin`). */
function segmentsOf(path: string): string[] {
  const segments = path.split("/").filter((segment) => segment !== "");
  return segments.length > 1 ? segments.slice(1) : segments;
}

function staticSegments(path: string): string[] {
  return segmentsOf(path).filter((segment) => !segment.startsWith(":"));
}

function pascal(segment: string): string {
  return segment
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function singular(noun: string): string {
  if (noun.endsWith("ies")) return `${noun.slice(0, -3)}y`;
  return noun.endsWith("s") ? noun.slice(0, -1) : noun;
}
