// Wraps an email written in Markdown in a page: one column, at most 600 pixels wide, that adapts to
// phones. For Outlook, the column is in a table of that width. The page is light, and dark if the
// mail program prefers dark pages. The shell must not contain two adjacent braces, because the page
// is a template. Pure.
import { FONT } from "./email-styles.ts";

/**
 * Invisible characters after the hidden preview text. They fill the rest of the inbox preview, so
 * that the message's text does not appear there.
 */
const PREVIEW_PADDING = "&#847;&zwnj;&nbsp;".repeat(60);

const STYLES = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { -webkit-text-size-adjust: 100%; -ms-text-size-adjust: 100%; }
@media (max-width: 620px) {
  .outside { padding: 0 !important; }
  .content { padding: 24px 16px 8px !important; border-radius: 0 !important; }
}
@media (prefers-color-scheme: dark) {
  .page { background-color: #0b0f19 !important; }
  .content { background-color: #161b26 !important; color: #e5e7eb !important; }
  .link { color: #8ab4ff !important; }
  .muted, .quote { color: #a3aab8 !important; }
  .quote, .line { border-color: #3b4252 !important; }
  .code { background-color: #232a38 !important; color: #e5e7eb !important; }
  .button { background-color: #2f6bff !important; }
  .note { background-color: #14213d !important; }
  .tip { background-color: #0f2a22 !important; }
  .important { background-color: #221a3d !important; }
  .warning { background-color: #2e230f !important; }
  .caution { background-color: #331616 !important; }
}
`;

const OUTLOOK_STYLES = `<!--[if mso]>
<noscript><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml></noscript>
<style>body, table, td, th, p, li, a, h1, h2, h3, h4, h5, h6 { font-family: Arial, sans-serif !important; }</style>
<![endif]-->`;

const TABLE = `role="presentation" cellpadding="0" cellspacing="0" border="0"`;

/**
 * Renders the page. `content` and `preview` are HTML. The preview is the text that an inbox shows
 * beside the subject. If it is empty, the page has no preview.
 */
export function renderEmailPage(content: string, preview: string): string {
  return `<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title></title>
${OUTLOOK_STYLES}
<style>${STYLES}</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f3f4f6">
${renderPreview(preview)}<table ${TABLE} class="page" width="100%" style="width:100%;background-color:#f3f4f6"><tr><td class="outside" align="center" style="padding:24px 12px">
<!--[if mso]><table ${TABLE} width="600" align="center"><tr><td><![endif]-->
<table ${TABLE} width="100%" style="width:100%;max-width:600px;margin:0 auto"><tr><td class="content" dir="auto" align="left" bgcolor="#ffffff" style="padding:32px 32px 16px;text-align:start;background-color:#ffffff;border-radius:8px;color:#1f2937;font-family:${FONT};font-size:16px;line-height:1.5;word-break:break-word;overflow-wrap:break-word">
${content}</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`;
}

function renderPreview(preview: string): string {
  if (preview === "") return "";
  return `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;font-size:1px;line-height:1px;color:#f3f4f6">${preview}${PREVIEW_PADDING}</div>\n`;
}
