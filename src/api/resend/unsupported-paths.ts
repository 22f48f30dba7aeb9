// The features of Resend's API that Postern does not have (docs/from-resend.md §Calls). A call to
// one is answered with an error that says so.
import { errorBody } from "../../lib/error-envelope.ts";

/** The first segment of a path → the feature that the error names. */
const PARTS: Readonly<Record<string, string>> = {
  audiences: "Audiences are",
  automations: "Automations are",
  broadcasts: "Broadcasts are",
  "contact-properties": "Properties of contacts are",
  contacts: "Contacts are",
  events: "Events of automations are",
  inboxes: "Inboxes are",
  oauth: "OAuth is",
  segments: "Segments are",
  topics: "The list of topics is",
};

/** Unsupported paths that are below supported paths. */
const PATHS = {
  "/emails/metrics": "The metrics of messages are",
  "/domains/claim": "Claiming a domain is",
} as const;

const SUBPATHS: Readonly<Record<string, string>> = {
  "/emails/:id/share": "Sharing a message is",
  "/domains/:id/claim": "Claiming a domain is",
};

/** Patterns of paths → the body of the error. */
export const unsupportedPaths: readonly (readonly [path: string, body: string])[] = [
  ...Object.entries(PARTS).map(([first, what]) => [`/${first}`, what] as const),
  ...Object.entries(PATHS),
  ...Object.entries(SUBPATHS),
].flatMap(([path, what]) => {
  const body = errorBody(
    "not_found",
    `${what} not part of Postern; docs/from-resend.md lists the supported calls.`,
  );
  return [
    [path, body],
    [`${path}/*`, body],
  ] as const;
});
