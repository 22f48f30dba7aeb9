// Finds HTML that Gmail cuts. Gmail shows the first 102 KB of a message's HTML, and a link to the
// rest (https://mailchimp.com/help/gmail-is-clipping-my-email/). The rest often contains the
// unsubscribe link and the tracking pixel. Pure.
import type { CheckedMail, AddProblem } from "../checked-mail.ts";
import { type HtmlVisitor } from "../html-visitor.ts";

const CLIPPED_BYTES = 102 * 1024;

export function beginHtmlSize({ html }: CheckedMail, report: AddProblem): HtmlVisitor {
  if (html && html.copyBytes > CLIPPED_BYTES)
    report({
      severity: "error",
      at: { field: html.field, line: null, column: null },
      message:
        `The HTML has ${html.copyBytes} octets in the copy, in UTF-8 and after tracking. ` +
        `Gmail shows the first ${CLIPPED_BYTES}, and cuts the rest off.`,
      help:
        "Shorten the HTML: pictures and attachments do not count, but styles, comments and long " +
        "tracked links do (https://mailchimp.com/help/gmail-is-clipping-my-email/).",
    });
  return {};
}
