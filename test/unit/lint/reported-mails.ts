// Reads the mails with the faults of public bug reports, each with a mended twin
// (test/fixtures/reported-mails.txt). Those that are too large for a file are made here.
import type { LintRule } from "../../../src/lint/mail-problem.ts";
import { tablesOf } from "../fixture-rows.ts";
import { github, htmlMail, type Reported } from "./short-mail.ts";

const kilobytes = (count: number, text = "<p>a</p>\n"): string =>
  text.repeat(Math.ceil((count * 1024) / new TextEncoder().encode(text).length));
/** The text for which `{words}` stands in the file. */
const WORDS =
  "Your order of twelve red roses leaves our garden tomorrow morning. The courier rings twice, " +
  "waits five minutes, then hands the parcel to your neighbour.";
const ok = "https://shop.example/";

const TOO_LARGE: readonly Reported[] = [
  [github("hteumeuleu/email-bugs/issues/41"), htmlMail(kilobytes(103)), htmlMail(kilobytes(99))],
  [
    github("fossasia/open-event-server/issues/7640"),
    htmlMail(kilobytes(110)),
    htmlMail(kilobytes(20)),
  ],
  [
    github("capacity4dev/capacity4more/pull/477"),
    htmlMail(`<style>${kilobytes(104, ".a{color:red}")}</style>`),
    htmlMail("<style>.a{color:red}</style>"),
  ],
  [github("TryGhost/Ghost/pull/25798"), htmlMail(kilobytes(102.2)), htmlMail(kilobytes(101))],
  [
    github("braziljs/newsletter-tool/issues/26"),
    htmlMail(kilobytes(103, "<p>é</p>")),
    htmlMail(kilobytes(60, "<p>é</p>")),
  ],
  [
    github("foundation/foundation-emails/issues/529"),
    htmlMail(kilobytes(103, "<td>          </td>\n")),
    htmlMail(kilobytes(50, "<td></td>")),
  ],
  [
    github("Mange/roadie-rails/issues/91"),
    htmlMail(kilobytes(103, '<p style="font-family:Arial">a</p>')),
    htmlMail(kilobytes(30, "<p>a</p>")),
  ],
  [
    "https://mailchimp.com/help/gmail-is-clipping-my-email/",
    htmlMail(kilobytes(103, "<!-- a -->")),
    htmlMail("<p>a</p>"),
  ],
  ...[
    ["many styles", kilobytes(103, "<style>.a{color:#000}</style>")],
    ["pasted Word markup", kilobytes(103, '<p class="MsoNormal"><o:p></o:p></p>')],
    ["tables in tables", kilobytes(103, "<table><tr><td></td></tr></table>")],
    ["emoji, four octets each", kilobytes(103, "😀")],
    ["Cyrillic, two octets each", kilobytes(103, "Я")],
    ["long links", kilobytes(103, `<a href="${ok}?utm_source=newsletter">a</a>`)],
    ["one octet too many", "x".repeat(102 * 1024 + 1)],
  ].map(([name = "", long = ""]): Reported => [
    `https://github.com/hteumeuleu/email-bugs/issues/41: ${name}`,
    htmlMail(long),
    htmlMail(Array.from(long).slice(0, 20_000).join("")),
  ]),
];

const tables = Array.from(tablesOf("reported-mails"), ([rule, lines]) => [
  rule,
  lines.map((line) => JSON.parse(line.replaceAll("{words}", WORDS)) as Reported),
]);

export const REPORTED = {
  "html-size": TOO_LARGE,
  ...Object.fromEntries(tables),
} as Readonly<Record<LintRule, readonly Reported[]>>;
