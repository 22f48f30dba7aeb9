// Mails with the faults of public bug reports about mail programs, dark mode, variables and
// attachments, each with a mended twin. reported-html.ts has the others.
import type { LintRule } from "../../../src/lint/mail-problem.ts";
import { REPORTED_HTML } from "./reported-html.ts";
import { github, htmlMail, type Reported } from "./short-mail.ts";

const ok = "https://shop.example/";

export const REPORTED: Readonly<Record<LintRule, readonly Reported[]>> = {
  ...REPORTED_HTML,
  "client-support": [
    [
      github("resend/react-email/issues/889"),
      htmlMail('<div style="display:flex;flex-direction:column">a</div>'),
      htmlMail("<table><tr><td>a</td></tr></table>"),
    ],
    [
      github("City-of-Helsinki/tilavarauspalvelu-core/pull/1355"),
      htmlMail("<style>#header{display:flex;gap:25px}</style>"),
      htmlMail("<style>#header{padding:0 25px}</style>"),
    ],
    [
      github("Ravinou/borgwarehouse/issues/242"),
      htmlMail(`<img alt="" src="${ok}icon.svg">`),
      htmlMail(`<img alt="" src="${ok}icon.png">`),
    ],
    [
      github("omnistrate-oss/customer-portal/pull/574"),
      htmlMail('<table style="width:100%;display: flex;"></table>'),
      htmlMail('<table style="width:100%"></table>'),
    ],
    [
      "https://www.caniemail.com/features/css-display-grid/",
      htmlMail('<div style="DISPLAY : GRID">a</div>'),
      htmlMail('<div style="display:block">a</div>'),
    ],
    [
      "https://www.caniemail.com/features/html-video/",
      htmlMail(`<video src="${ok}a.mp4"></video>`),
      htmlMail(`<a href="${ok}"><img alt="Film" src="${ok}a.png"></a>`),
    ],
    [
      "https://www.caniemail.com/features/html-form/",
      htmlMail(`<form action="${ok}"><input type="text"></form>`),
      htmlMail(`<a href="${ok}form">Form</a>`),
    ],
    [
      "https://www.caniemail.com/features/html-svg/",
      htmlMail("<svg><path d='M0 0'/></svg>"),
      htmlMail(`<img alt="" src="${ok}a.png">`),
    ],
    [
      "https://www.caniemail.com/features/html-link/",
      htmlMail(`<link rel="stylesheet" href="${ok}a.css">`),
      htmlMail("<style>p{margin:0}</style>"),
    ],
    [
      "https://www.caniemail.com/features/css-position/",
      htmlMail('<div style="position:absolute;top:0">a</div>'),
      htmlMail('<div style="position:relative">a</div>'),
    ],
    [
      "https://www.caniemail.com/features/css-variables/",
      htmlMail("<style>:root{--c:#123}p{color:var(--c)}</style>"),
      htmlMail("<style>p{color:#123}</style>"),
    ],
    [
      "https://www.caniemail.com/features/image-webp/",
      htmlMail(`<img alt="" src="${ok}a.webp?x=1">`),
      htmlMail(`<img alt="" src="${ok}a.jpg?x=1">`),
    ],
    [
      "https://www.caniemail.com/features/image-avif/",
      htmlMail(`<img alt="" src="${ok}a.avif">`),
      htmlMail(`<img alt="" src="${ok}a.gif">`),
    ],
    [
      "https://www.caniemail.com/features/css-function-clamp/",
      htmlMail('<p style="font-size:clamp(1px,2px,3px)">a</p>'),
      htmlMail('<p style="font-size:2px">a</p>'),
    ],
    [
      "https://www.caniemail.com/features/html-audio/",
      htmlMail(`<audio src="${ok}a.mp3"></audio>`),
      htmlMail(`<a href="${ok}a.mp3">Listen</a>`),
    ],
  ],
  "dark-mode": [
    [
      github("rust-lang/this-week-in-rust/issues/1096"),
      htmlMail('<body style="color:#444444"><p>a</p></body>'),
      htmlMail('<body style="color:#444444;background:#fff"><p>a</p></body>'),
    ],
    [
      github("abhinavxd/libredesk/issues/449"),
      htmlMail('<p style="color: black">a</p>'),
      htmlMail('<p style="color: black; background: #ffffff">a</p>'),
    ],
    [
      github("tutao/tutanota/issues/297"),
      htmlMail('<p style="color:#555">a</p>'),
      htmlMail("<p>a</p>"),
    ],
    [
      github("nylas/nylas-mail/issues/145"),
      htmlMail('<span style="color:rgb(0, 0, 0)">a</span>'),
      htmlMail(
        '<div style="background-color:white"><span style="color:rgb(0, 0, 0)">a</span></div>',
      ),
    ],
    [
      github("GlobalNOC/OESS/issues/1062"),
      htmlMail('<table bgcolor="#ffffff"><tr><td>a</td></tr></table>'),
      htmlMail('<table bgcolor="#ffffff" style="color:#222"><tr><td>a</td></tr></table>'),
    ],
    [
      github("nextcloud/mail/issues/1742"),
      htmlMail('<td style="background:#fff">a</td>'),
      htmlMail('<td style="background:#fff;color:#111">a</td>'),
    ],
    [
      github("deathworlders/online/issues/104"),
      htmlMail('<font color="navy">a</font>'),
      htmlMail('<table bgcolor="#eee"><tr><td><font color="navy">a</font></td></tr></table>'),
    ],
    [
      github("tomayac/dark-mode-email/issues/1"),
      htmlMail('<meta name="color-scheme" content="light dark"><p style="color:#000">a</p>'),
      htmlMail(
        '<meta name="color-scheme" content="light dark"><style>@media (prefers-color-scheme:dark){p{color:#fff!important}}</style><p style="color:#000">a</p>',
      ),
    ],
    [
      "https://webkit.org/blog/8840/dark-mode-support-in-webkit/",
      htmlMail('<style>:root{color-scheme:light dark}</style><p style="color:#333">a</p>'),
      htmlMail('<style>:root{color-scheme:light dark}</style><p style="color:#ccc">a</p>'),
    ],
    [
      github("thunderbird/thunderbird-android/issues/4198"),
      htmlMail('<h1 style="background-color:yellow">a</h1>'),
      htmlMail('<h1 style="background-color:yellow;color:#000">a</h1>'),
    ],
    ...["#222", "#1a1a1a", "rgb(51, 51, 51)", "midnightblue", "#000000de"].map(
      (colour): Reported => [
        `https://www.caniemail.com/features/css-at-media-prefers-color-scheme/: ${colour}`,
        htmlMail(`<div style="font-size:14px;color:${colour}">a</div>`),
        htmlMail(`<div style="background-color:#fafafa;color:${colour}">a</div>`),
      ],
    ),
  ],
  variables: [
    [
      github("hpi-swt2/workshop-portal/issues/492"),
      { html: "<p>{{semimar_name}}</p>", variables: { seminar_name: "Math" } },
      { html: "<p>{{seminar_name}}</p>", variables: { seminar_name: "Math" } },
    ],
    [
      github("chameleon-system/chameleon-system/issues/469"),
      htmlMail("<p>{{customernumber}}</p>"),
      { html: "<p>{{customernumber}}</p>", variables: { customernumber: 7 } },
    ],
    [
      github("comlounge/camper/issues/176"),
      htmlMail("<p>Dear {{ fullname }}</p>"),
      htmlMail("<p>Dear customer</p>"),
    ],
    [
      github("Coffey-Labs/ihasmail/pull/195"),
      { html: "Hi {{recipientFirstName}}", variables: { recipientName: "Ada" } },
      { html: "Hi {{recipientName}}", variables: { recipientName: "Ada" } },
    ],
    [
      github("osclass/Osclass/issues/1701"),
      { html: "{{CONTACT_NAME}}", variables: { contact_name: "Ada" } },
      { html: "{{contact_name}}", variables: { contact_name: "Ada" } },
    ],
    [
      github("usewaypoint/email-builder-js/issues/118"),
      { html: "{{userName}}", variables: { username: "Ada" } },
      { html: "{{username}}", variables: { username: "Ada" } },
    ],
    [
      github("Equotix/Logic-Invoice/issues/14"),
      htmlMail("Welcome to {{company}}"),
      { html: "Welcome to {{company}}", variables: { company: "Shop" } },
    ],
    [
      "docs/templates.md",
      { html: "{{#each items}}{{name}}{{/each}}", variables: { item: [] } },
      { html: "{{#each items}}{{name}}{{/each}}", variables: { items: [] } },
    ],
    [
      "contract.md §Variables",
      { html: "{{user.name}}", variables: { user: { first: "Ada" } } },
      { html: "{{user.first}}", variables: { user: { first: "Ada" } } },
    ],
    [
      "contract.md §Template variables",
      { html: "<p>a</p>", variables: { name: "Ada" } },
      { html: "<p>{{name}}</p>", variables: { name: "Ada" } },
    ],
    ...[
      "{{first_name}}",
      "{{{firstname}}}",
      "{{ first.name }}",
      "{{FirstName}}",
      "{{first}}{{name}}",
    ].map((markers): Reported => [
      `https://github.com/hpi-swt2/workshop-portal/issues/492: ${markers}`,
      { html: `<p>${markers}</p>`, variables: { firstName: "Ada" } },
      { html: "<p>{{firstName}}</p>", variables: { firstName: "Ada" } },
    ]),
  ],
  attachments: [
    [github("haraka/Haraka/issues/1184"), { files: ["run.exe"] }, { files: ["run.pdf"] }],
    [github("haraka/Haraka/issues/1830"), { files: ["a.min.js"] }, { files: ["a.min.js.txt"] }],
    [
      github("sendgrid/sendgrid-nodejs/issues/971"),
      { files: ["somejsfile.js"] },
      { files: ["somejsfile.txt"] },
    ],
    [github("jstedfast/MailKit/issues/408"), { files: ["setup.MSI"] }, { files: ["setup.zip"] }],
    [github("buttondown/roadmap/issues/2543"), { files: ["disk.iso"] }, { files: ["disk.png"] }],
    [
      github("gophish/gophish/issues/475"),
      { files: ["report.pdf.exe"] },
      { files: ["report.exe.pdf"] },
    ],
    [github("mailcow/mailcow-dockerized/issues/747"), { files: ["x.scr"] }, { files: ["x.csv"] }],
    [github("frappe/mail/issues/426"), { files: ["script.ps1"] }, { files: ["invoice.docx"] }],
    [
      "https://support.google.com/mail/answer/6590",
      { files: ["lib.jar", "a.pdf"] },
      { files: ["a.pdf"] },
    ],
    [
      "https://support.microsoft.com/office/434752e1-02d3-4e90-9124-8b81e49a8519",
      { files: ["key.reg"] },
      { files: ["key.ics"] },
    ],
    ["docs/couriers.md", { copyBytes: 5 * 1024 * 1024 + 1 }, { copyBytes: 5 * 1024 * 1024 }],
    ...["macro.vbs", "app.apk", "image.dmg", "page.hta", "link.lnk"].map((name): Reported => [
      `https://support.google.com/mail/answer/6590: ${name}`,
      { files: [name] },
      { files: [`${name}.pdf`] },
    ]),
  ],
};
