// Judges a mail by all rules that the team did not switch off (docs/mail-check.md). The worker, the
// local inbox and the command line run the same function. It works in steps. Pure.
import type { Steps } from "../lib/step-scheduler.ts";
import type { CheckedMail, LintProblem, LintChoices, AddProblem } from "./checked-mail.ts";
import { type HtmlVisitor, visitHtml } from "./html-visitor.ts";
import { LINT_RULES, type LintRule, type MailProblem, sortProblems } from "./mail-problem.ts";
import { beginAttachments } from "./rules/attachment-rule.ts";
import { beginClientSupport } from "./rules/client-support-rule.ts";
import { beginDarkMode } from "./rules/dark-mode-rule.ts";
import { beginHtmlSize } from "./rules/html-size-rule.ts";
import { beginImages } from "./rules/image-rule.ts";
import { beginLinks } from "./rules/link-rule.ts";
import { beginTextPart } from "./rules/text-part-rule.ts";
import { beginVariables } from "./rules/variable-rule.ts";
import { SourcePositions } from "./tag-marks.ts";

/** Starts a rule. The rule reports problems at once, or later as a visitor of the HTML. */
type BeginRule = (mail: CheckedMail, report: AddProblem, choices: LintChoices) => HtmlVisitor;

const RULES: Readonly<Record<LintRule, BeginRule>> = {
  "html-size": beginHtmlSize,
  "text-part": beginTextPart,
  images: beginImages,
  links: beginLinks,
  "client-support": beginClientSupport,
  "dark-mode": beginDarkMode,
  variables: beginVariables,
  attachments: beginAttachments,
};

/** Maximum number of listed problems of one rule, because a mail may repeat a fault. */
const PROBLEMS_PER_RULE = 20;

export function* judgeMail(
  mail: CheckedMail,
  choices: LintChoices,
): Steps<MailProblem<LintRule>[]> {
  const rules = LINT_RULES.filter((rule) => !choices.rulesOff.includes(rule)).map((rule) => {
    const problems: LintProblem[] = [];
    let more = 0;
    const report: AddProblem = (problem) => {
      if (problems.length < PROBLEMS_PER_RULE) problems.push(problem);
      else more += 1;
    };
    const visitor = RULES[rule](mail, report, choices);
    return { rule, visitor, problems, more: () => more };
  });
  if (mail.html)
    yield* visitHtml(
      mail.html,
      rules.map(({ visitor }) => visitor),
    );
  const places = mail.html && new SourcePositions(mail.html);
  return sortProblems(
    rules.flatMap(({ rule, problems, more }) =>
      problems.map(({ severity, at, message, help }, index) => ({
        rule,
        severity,
        where:
          "field" in at ? at : (places?.find(at) ?? { field: "html", line: null, column: null }),
        message:
          index === PROBLEMS_PER_RULE - 1 && more() > 0
            ? `${message} The rule finds ${more()} more.`
            : message,
        help,
      })),
    ),
  );
}
