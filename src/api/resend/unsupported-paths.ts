// The features of Resend's API that Postern does not have (docs/from-resend.md §Calls). A call to
// such a feature gets an error that says so.
import { errorBody } from "../../lib/error-envelope.ts";

/** The features, by the first segment of their paths. The error names the feature. */
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

/** Unsupported paths below supported paths, each with the feature that the error names. */
const PATHS = {
  "/emails/metrics": "The metrics of messages are",
  "/domains/claim": "Claiming a domain is",
} as const;

const SUBPATHS: Readonly<Record<string, string>> = {
  "/emails/:id/share": "Sharing a message is",
  "/domains/:id/claim": "Claiming a domain is",
};

/** The unsupported paths, as patterns, each with the body of its error. */
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
