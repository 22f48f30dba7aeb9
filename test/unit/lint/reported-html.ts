// Mails with the faults of public bug reports about size, text, pictures and links, each with a
// mended twin. The mails are written anew, as short as they can be.
import { github, htmlMail, type Reported, type ShortMail } from "./short-mail.ts";

const kilobytes = (count: number, text = "<p>a</p>\n"): string =>
  text.repeat(Math.ceil((count * 1024) / new TextEncoder().encode(text).length));
const WORDS =
  "Your order of twelve red roses leaves our garden tomorrow morning. The courier rings twice, " +
  "waits five minutes, then hands the parcel to your neighbour.";
const alike = (text: string): ShortMail => ({ html: `<p>${WORDS}</p>`, text });
const ok = "https://shop.example/";

/** Reports about size, text, pictures and links. */
export const REPORTED_HTML = {
  "html-size": [
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
  ],
  "text-part": [
    [
      github("healthchecks/healthchecks/issues/61"),
      { html: "<p>a</p>", text: null },
      { html: "<p>a</p>", text: "a" },
    ],
    [
      github("sendgrid/sendgrid-php/issues/16"),
      { html: "<p>a</p>", text: "" },
      { html: "<p>a</p>", text: "a" },
    ],
    [
      github("rspamd/rspamd/issues/2367"),
      { html: "<p>a</p>", text: "\r\n" },
      { html: "<p>a</p>", text: "a\r\n" },
    ],
    [
      github("nylas/nylas-mail/issues/3550"),
      { html: "<b>a</b>", text: null },
      { html: "<b>a</b>", text: "a" },
    ],
    [
      github("getgrav/grav-plugin-email/issues/119"),
      { html: "a", text: null },
      { html: "a", text: "a" },
    ],
    [
      github("CrimsonForge-io/king-phisher/issues/292"),
      alike("This message requires an HTML aware email agent."),
      alike(WORDS),
    ],
    [
      github("hashtopolis/server/issues/285"),
      { html: "<p>Agent</p>", text: " " },
      { html: "<p>Agent</p>", text: "Agent" },
    ],
    [
      github("dotkernel/dot-mail/issues/10"),
      { html: "<p>a</p>", text: null },
      { html: "<p>a</p>", text: "a" },
    ],
    [
      github("carlosz1986/paperless-mailservice/issues/38"),
      { html: "<p>x</p>", text: "\t" },
      { html: "<p>x</p>", text: "x" },
    ],
    ["RFC 2046 §5.1.4", alike("Your order."), alike(`${WORDS}\n\nhttps://shop.example/`)],
    ...[
      "View this mail in a browser.",
      "Order 7",
      "https://shop.example/",
      "...",
      "Roses, roses",
    ].map((text): Reported => [
      "SpamAssassin: MPART_ALT_DIFF",
      alike(text),
      alike(`${text} ${WORDS}`),
    ]),
  ],
  images: [
    [
      github("useplunk/plunk/issues/324"),
      htmlMail(`<p>${WORDS}</p><img src="${ok}badge.png" width="180">`),
      htmlMail(`<p>${WORDS}</p><img src="${ok}badge.png" width="180" alt="">`),
    ],
    [
      github("pretix/pretix/issues/2760"),
      htmlMail(`<p>${WORDS}</p><img src="${ok}line.png" width="20">`),
      htmlMail(`<p>${WORDS}</p><img src="${ok}line.png" width="20" alt="">`),
    ],
    [
      github("loomio/loomio/issues/3153"),
      htmlMail(`<p>${WORDS}</p><img src="${ok}agree.png" width="16">`),
      htmlMail(`<p>${WORDS}</p><img src="${ok}agree.png" width="16" alt="agree">`),
    ],
    [
      github("redbadger/website-honestly/issues/433"),
      htmlMail(`<p>${WORDS}</p><IMG SRC='${ok}logo.png' width=90>`),
      htmlMail(`<p>${WORDS}</p><IMG SRC='${ok}logo.png' ALT=Logo width=90>`),
    ],
    [
      github("alphagov/notifications-utils/pull/67"),
      htmlMail(`<p>${WORDS}</p><img src="${ok}c.png" width="30" height="30">`),
      htmlMail(`<p>${WORDS}</p><img src="${ok}c.png" width="30" height="30" alt="">`),
    ],
    [
      github("GioBonvi/GoogleContactsEventsNotifier/pull/164"),
      htmlMail(`<p>${WORDS}</p><img src="${ok}p.png" width="30">`),
      htmlMail(`<p>${WORDS}</p><img src="${ok}p.png" width="30" alt>`),
    ],
    [
      github("socketlabs/socketlabs-php/issues/4"),
      htmlMail(`<p>${WORDS}</p><img alt="" src="data:image/png;base64,AAAA">`),
      htmlMail(`<p>${WORDS}</p><img alt="" src="${ok}a.png">`),
    ],
    [
      github("nodemailer/nodemailer/issues/532"),
      htmlMail(`<p>${WORDS}</p><img alt="" src=" DATA:image/gif;base64,AA">`),
      htmlMail(`<p>${WORDS}</p><img alt="" src="${ok}a.gif">`),
    ],
    [
      github("SuiteCRM/SuiteCRM/issues/9248"),
      htmlMail(`<p>${WORDS}</p><img alt="" src="data:image/svg+xml,%3Csvg/%3E">`),
      htmlMail(`<p>${WORDS}</p><img alt="" src="${ok}a.png">`),
    ],
    [
      github("cachethq/cachet/issues/1178"),
      htmlMail(`<p>${WORDS}</p><img alt="a" src="data:image/jpeg;base64,/9j/4A">`),
      htmlMail(`<p>${WORDS}</p><img alt="a" src="${ok}a.jpg">`),
    ],
    [
      "https://developer.mozilla.org/docs/Web/Security/Mixed_content",
      htmlMail(`<p>${WORDS}</p><img alt="" src="http://shop.example/a.png">`),
      htmlMail(`<p>${WORDS}</p><img alt="" src="${ok}a.png">`),
    ],
    [
      "RFC 2392",
      htmlMail(`<p>${WORDS}</p><img alt="" src="cid:logo@shop">`),
      { ...htmlMail(`<p>${WORDS}</p><img alt="" src="cid:a.png">`), files: ["a.png"] },
    ],
    [
      "SpamAssassin: HTML_IMAGE_ONLY_04",
      htmlMail(`<img alt="Sale" src="${ok}sale.png" width="600">`),
      htmlMail(`<p>${WORDS}</p><img alt="Sale" src="${ok}sale.png" width="600">`),
    ],
    [
      "SpamAssassin: HTML_IMAGE_ONLY_08",
      htmlMail(`<img alt="" src="${ok}a.png" width="100%"><p>Hi</p>`),
      htmlMail(`<img alt="" src="${ok}a.png" width="100%"><p>${WORDS}</p>`),
    ],
    [
      github("emailmonday/Cerberus/issues/67"),
      htmlMail(`<p>${WORDS}</p><img src="${ok}h.jpg" height="50">`),
      htmlMail(`<p>${WORDS}</p><img src="${ok}h.jpg" height="50" alt="Roses">`),
    ],
  ],
  links: [
    [
      github("codetriage/CodeTriage/issues/258"),
      htmlMail('<a href="/issue_assignments/810598/click">x</a>'),
      htmlMail(`<a href="${ok}issues/810598">x</a>`),
    ],
    [
      github("rcos/Observatory-retired/issues/39"),
      htmlMail('<a href="/projects/name">x</a>'),
      htmlMail(`<a href="${ok}projects/name">x</a>`),
    ],
    [
      github("keybase/keybase-issues/issues/714"),
      htmlMail('<a href="espeed/sigs/tYhDvl">dns</a>'),
      htmlMail(`<a href="${ok}espeed/sigs/tYhDvl">dns</a>`),
    ],
    [
      github("hasgeek/hacknight/issues/216"),
      htmlMail('<a href="https:///fifthelephant/2013">x</a>'),
      htmlMail(`<a href="${ok}fifthelephant/2013">x</a>`),
    ],
    [
      github("jstanden/cerb/issues/1775"),
      htmlMail('<a href="http://">x</a>'),
      htmlMail(`<a href="${ok}">x</a>`),
    ],
    [
      github("SSWConsulting/SSW.Website/issues/2976"),
      htmlMail('<a href="https://www.ssw.example../a.html">x</a>'),
      htmlMail('<a href="https://www.ssw.example/a.html">x</a>'),
    ],
    [
      github("hteumeuleu/caniemail/pull/148"),
      htmlMail('<a href="http://localhost:4000/features">x</a>'),
      htmlMail(`<a href="${ok}features">x</a>`),
    ],
    [
      github("revivek/oy/issues/47"),
      htmlMail('<a href="page.html">x</a>'),
      htmlMail('<a href="mailto:ada@example.net">x</a>'),
    ],
    [
      github("mysociety/alaveteli/issues/895"),
      htmlMail('<a href="http://www.whatdotheyknow.example/c/1">x</a>'),
      htmlMail('<a href="https://www.whatdotheyknow.example/c/1">x</a>'),
    ],
    [
      github("dreamwidth/dreamwidth/issues/2218"),
      htmlMail('<a href="HTTP://shop.example/reply">x</a>'),
      htmlMail(`<a href="${ok}reply">x</a>`),
    ],
    [
      github("openstreetmap/openstreetmap-website/issues/757"),
      htmlMail('<map><area href="http://osm.example/note/1"></map>'),
      htmlMail('<map><area href="https://osm.example/note/1"></map>'),
    ],
    [
      github("hikaya-io/activity/issues/481"),
      htmlMail('<a href="http://192.0.2.7:8000/verify">x</a>'),
      htmlMail(`<a href="${ok}verify">x</a>`),
    ],
    [
      "SpamAssassin: NORMAL_HTTP_TO_IP",
      htmlMail('<a href="https://[2001:db8::1]/">x</a>'),
      htmlMail(`<a href="${ok}">x</a>`),
    ],
    [
      "SpamAssassin: NUMERIC_HTTP_ADDR",
      htmlMail('<a href="https://3221226219/">x</a>'),
      htmlMail(`<a href="${ok}">x</a>`),
    ],
    [
      github("matomo-org/matomo/issues/10814"),
      htmlMail('<a href="http://my.piwik.example/index.php?module=CoreUpdater">x</a>'),
      htmlMail('<a href="https://my.piwik.example/index.php?module=CoreUpdater">x</a>'),
    ],
    [
      "https://support.google.com/mail/answer/8253",
      htmlMail('<a href="https://evil.example/">https://www.bank.com/login</a>'),
      htmlMail('<a href="https://www.bank.com/login">https://www.bank.com/login</a>'),
    ],
    [
      "docs/tracking.md",
      {
        ...htmlMail('<a href="https://bank.com/">https://bank.com/</a>'),
        clickHost: "links.shop.example",
      },
      {
        ...htmlMail('<a href="https://bank.com/" data-no-track>https://bank.com/</a>'),
        clickHost: "links.shop.example",
      },
    ],
  ],
} satisfies Readonly<Record<string, readonly Reported[]>>;
