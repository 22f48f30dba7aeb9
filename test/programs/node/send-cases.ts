// Bodies of sends with members that may contradict each other. Each case says whether the API
// accepts it, and the TypeScript type of a send must accept the same.
import { FieldProblems } from "../../../src/mail/accept/field-problems.ts";
import { validateBatch } from "../../../src/mail/accept/batch/batch-entries.ts";
import { validateEmail } from "../../../src/mail/accept/validate-email.ts";

type Members = Readonly<Record<string, unknown>>;

export interface SendCase {
  /**
   * Makes a call that passes the body as a variable. A literal would not do, because TypeScript
   * also refuses unknown members of a literal.
   */
  readonly call: string;
  readonly isTaken: boolean;
}

const TO = { to: ["b@example.net"] };
const ADDRESSED = { ...TO, from: "a@example.com", subject: "Hi" };
const CONTENT = { text: "Hi.", html: "<p>Hi.</p>", react: {}, template_id: "welcome" };
const TEXT = { text: CONTENT.text };
const [NONE, GENERATE] = ["none", "generate"].map((mode) => ({ unsubscribe: { mode } }));
const TOPIC = { topic: "news" };
const FILE = { filename: "a.txt" };

const CONTENTS = subsetsOf(CONTENT);
const TOPICS: readonly Members[] = [{}, NONE, GENERATE].flatMap((one) => [
  { ...one },
  { ...one, ...TOPIC },
]);
const ATTACHMENTS = [{}, { content: "aGk=" }, { path: "https://example.com/a.txt" }].map((one) => ({
  attachments: [{ ...FILE, ...one }],
}));
const SHARED_CONTENTS = CONTENTS.filter((one) => !("react" in one));

export function sendCases(): readonly SendCase[] {
  const messages = [ADDRESSED, TO].flatMap((addressed) =>
    CONTENTS.flatMap((content) => TOPICS.map((topic) => ({ ...addressed, ...content, ...topic }))),
  );
  const files = ATTACHMENTS.map((one) => ({ ...ADDRESSED, ...TEXT, ...one }));
  return [...[...messages, ...files].map(singleCase), ...batches().map(batchCase)];
}

function batches(): readonly Members[] {
  const contents = CONTENTS.flatMap((content) => [
    batch(undefined, content),
    ...SHARED_CONTENTS.map((shared) => batch(shared, content)),
  ]);
  const topics = TOPICS.flatMap((topic) => [
    batch(undefined, { ...TEXT, ...topic }),
    ...TOPICS.map((shared) => batch(shared, { ...TEXT, ...topic })),
  ]);
  const files = ATTACHMENTS.flatMap((one) => [
    batch(undefined, { ...TEXT, ...one }),
    batch(one, TEXT),
  ]);
  return [...contents, ...topics, ...files, { emails: [{ ...TO, ...TEXT }] }];
}

function batch(defaults: Members | undefined, members: Members): Members {
  return { ...(defaults && { defaults }), emails: [{ ...ADDRESSED, ...members }] };
}

function singleCase(body: Members): SendCase {
  const problems = new FieldProblems();
  const message = rendered(body);
  if (message) validateEmail(message, [], 0, problems, new Map());
  return { call: callOf("send", body), isTaken: message !== undefined && problems.count === 0 };
}

function batchCase(body: Members): SendCase {
  const problems = new FieldProblems();
  const emails = (body["emails"] as readonly Members[]).map(rendered);
  const isWhole = emails.every((one) => one !== undefined);
  if (isWhole) validateBatch({ ...body, emails }, [], 0, problems);
  return { call: callOf("sendBatch", body), isTaken: isWhole && problems.count === 0 };
}

function callOf(method: string, body: Members): string {
  const text = JSON.stringify(body).replaceAll(/"mode":"\w+"/g, "$& as const");
  return `{ const body = ${text}; void postern.emails.${method}(body); }`;
}

/**
 * Returns the message that the client sends. Undefined: the message has both `html` and `react`, so
 * the client would drop its `html`.
 */
function rendered({ react, ...message }: Members): Members | undefined {
  if (react === undefined) return message;
  if ("html" in message) return undefined;
  return { text: CONTENT.text, ...message, html: CONTENT.html };
}

function subsetsOf(members: Members): readonly Members[] {
  let subsets: readonly Members[] = [{}];
  for (const [name, value] of Object.entries(members))
    subsets = subsets.concat(subsets.map((one) => ({ ...one, [name]: value })));
  return subsets;
}
