// The JSON of GET and PATCH /v1/team: the settings that a team changes itself (contract.md §The
// team's settings).
import * as z from "zod";
import { contentDaysOf, mostContentDays } from "../../content-days.ts";
import { CONTENT_DAYS } from "../../operator/setting-table.ts";
import type { Team } from "../../endpoint.ts";
import { STANDARD_CLIENTS } from "../../lint/client-support.ts";
import { LINT_RULES } from "../../lint/mail-problem.ts";
import type { Settings } from "../../settings.ts";
import type { TeamRow } from "../team-settings/store.ts";
import { EVERY_TOPIC, parseTopic, topicKey } from "../suppressions/normalise.ts";

const ContentDays = z.union(
  CONTENT_DAYS.map((days) => z.literal(days)),
  { error: `must be ${CONTENT_DAYS.slice(0, -1).join(", ")} or ${CONTENT_DAYS.at(-1)}` },
);

const MAIL_CLIENTS_LISTED = 60;

const RulesOff = z
  .array(z.enum(LINT_RULES))
  .describe("The rules that a check before a send does not apply (docs/mail-check.md).");
const MailClients = z
  .array(z.string())
  .min(1)
  .max(MAIL_CLIENTS_LISTED)
  .describe(
    "The mail programs for which HTML and CSS are checked: families such as `gmail`, or single " +
      "programs such as `outlook.windows`.",
  );
const READS_REPLIES =
  "True: people of the team read replies in the console or by `GET /v1/replies`, so sends may set " +
  "`reply_tracking` without a webhook for `email.replied`.";

export const TeamSettings = z
  .object({
    id: z.string(),
    name: z.string(),
    content_days: ContentDays.describe(
      "For how many days the content of sent messages is kept. 0: it is not kept.",
    ),
    most_content_days: ContentDays.describe(
      "The most that `content_days` may be: the operator's bound or the event retention, " +
        "if that is less.",
    ),
    event_retention_days: z.int(),
    check_rules_off: RulesOff,
    mail_clients: MailClients,
    reads_replies: z.boolean().describe(READS_REPLIES),
    topic_names: z
      .record(z.string(), z.string())
      .describe("The names of topics on the pages that recipients see, by topic."),
  })
  .meta({ id: "TeamSettings" });

const TOPIC_NAME_CHARACTERS = 100;
const TOPICS_NAMED = 100;

const TOPIC_RULE = "must be a topic: 1 to 64 of a-z, 0-9, `_`, `.` and `-`";

const TopicName = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(TOPIC_NAME_CHARACTERS, `must be at most ${TOPIC_NAME_CHARACTERS} characters`);

const TopicNames = z
  .record(z.string(), TopicName)
  .refine(
    (names) => Object.keys(names).length <= TOPICS_NAMED,
    `must be at most ${TOPICS_NAMED} topics`,
  )
  .superRefine((names, context) => {
    for (const topic of Object.keys(names))
      if (!isTopicOfMail(topic))
        context.addIssue({ code: "custom", message: TOPIC_RULE, path: [topic] });
  })
  .transform((names) =>
    Object.fromEntries(Object.entries(names).map(([topic, name]) => [topicKey(topic), name])),
  );

function isTopicOfMail(topic: string): boolean {
  return (parseTopic(topic) ?? EVERY_TOPIC) !== EVERY_TOPIC;
}

export const UpdateTeamSettings = z.object({
  content_days: ContentDays.optional().describe(
    "For how many days the content of sent messages is kept. 0 also deletes the kept content. " +
      "At most `most_content_days`.",
  ),
  check_rules_off: RulesOff.optional(),
  mail_clients: MailClients.nullable()
    .optional()
    .describe("Replaces the mail programs. Null: the standard ones."),
  reads_replies: z.boolean().optional().describe(READS_REPLIES),
  topic_names: TopicNames.optional().describe(
    "The names of topics on the pages that recipients see, such as " +
      '`{"newsletter": "Weekly news"}`. Replaces all names. At most 100.',
  ),
});

export function toTeamSettings(
  team: Team,
  {
    checkRulesOff,
    mailClients,
    readsReplies,
  }: Pick<TeamRow, "checkRulesOff" | "mailClients" | "readsReplies">,
  { content }: Settings,
): z.output<typeof TeamSettings> {
  return {
    id: team.id,
    name: team.name,
    content_days: contentDaysOf(team, content),
    most_content_days: mostContentDays(team.eventRetentionDays, content),
    event_retention_days: team.eventRetentionDays,
    check_rules_off: checkRulesOff ?? [],
    mail_clients: mailClients ?? [...STANDARD_CLIENTS],
    reads_replies: readsReplies,
    topic_names: { ...team.topicNames },
  };
}
