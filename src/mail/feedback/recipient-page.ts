// Renders the pages that recipients see in a browser. They are small, need no script, fit any
// screen in light and dark, and load nothing from third parties. Pure.
import { createHash } from "node:crypto";
import type { PageTexts } from "./page-texts.ts";

const STYLE = `
:root { color-scheme: light dark; --ground: #f6f7f9; --card: #fff; --ink: #1b1f24;
  --quiet: #4c5560; --accent: #0a47ad; --on-accent: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #101418; --card: #1b2127; --ink: #eef1f4; --quiet: #b3bcc6;
    --accent: #a8c7fa; --on-accent: #062e6f; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center;
  padding: clamp(1rem, 5vw, 3rem); background: var(--ground); color: var(--ink);
  font: 1.0625rem/1.65 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: 100%; max-width: 34rem; padding: clamp(2rem, 8vw, 4rem) clamp(1.5rem, 7vw, 3.5rem);
  border-radius: 1.25rem; background: var(--card); overflow-wrap: anywhere;
  box-shadow: 0 1px 2px rgb(0 0 0 / 6%), 0 12px 40px rgb(0 0 0 / 8%); }
svg { display: block; width: 3.5rem; height: 3.5rem; margin: 0 0 1.75rem -0.4rem; fill: none;
  stroke: var(--accent); stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
h1 { margin: 0 0 1.25rem; font-size: 1.75rem; line-height: 1.25; text-wrap: balance; }
p { margin: 0 0 1.25rem; }
p:last-child { margin-bottom: 0; }
form { margin: 2rem 0; }
.quiet { color: var(--quiet); font-size: 0.9375rem; }
button { font: inherit; font-weight: 600; padding: 0.875rem 2rem; border: 0;
  border-radius: 0.625rem; background: var(--accent); color: var(--on-accent); cursor: pointer; min-height: 3rem; }
button.second { background: none; color: var(--accent); border: 2px solid var(--accent); }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px; }
`;

/** Content-Security-Policy: allows only this style sheet, and forms that post back to the page. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Headers of every page. The link in the address bar is a credential, so it must not leak. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": POLICY,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex, nofollow",
};

/** Decorative icons with a 24 by 24 view box. */
const ICONS = {
  envelope: '<rect x="3" y="5" width="18" height="14" rx="2.5"/><path d="m4 7 8 6.5L20 7"/>',
  check: '<circle cx="12" cy="12" r="9"/><path d="m8 12.5 2.75 2.75L16 9.5"/>',
  brokenLink:
    '<path d="M10 7.5 12.5 5a4.6 4.6 0 0 1 6.5 6.5L16.5 14M14 16.5 11.5 19A4.6 4.6 0 0 1 5 ' +
    '12.5L7.5 10M8 4v2.5M4 8h2.5M16 20v-2.5M20 16h-2.5"/>',
} as const;

/** Renders a whole document. `title` is text, `body` is HTML, `language` is a language tag. */
export function renderPage(
  language: string,
  icon: keyof typeof ICONS,
  title: string,
  body: string,
): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<svg viewBox="0 0 24 24" aria-hidden="true">${ICONS[icon]}</svg>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

/**
 * Renders text of third parties inside a sentence of the page. `<bdi>` keeps the order of the
 * sentence if the text is written from right to left.
 */
export function renderName(text: string): string {
  return `<strong><bdi>${escapeHtml(text)}</bdi></strong>`;
}

/** Renders the page for a link that is incomplete, altered or not from this service. */
export function renderUnknownLinkPage({ language, deadLink, deadLinkAdvice }: PageTexts): string {
  return renderPage(language, "brokenLink", deadLink, `<p>${deadLinkAdvice}</p>`);
}

/** Renders the page at the root of a tracking host. */
export function renderTrackingHostPage(host: string): string {
  return renderPage(
    "en",
    "envelope",
    "This host name is used only in email",
    `<p>${renderName(host)} counts opened messages and followed links for the sender who owns it. Links in the sender’s messages lead through this host name to their targets.</p>
<p class="quiet">There is nothing else to see here.</p>`,
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
