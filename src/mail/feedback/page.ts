// What recipients see in a browser: small pages that need no script, read well on any screen, light or dark, and tell nobody that they were read. Pure.
import { createHash } from "node:crypto";

const STYLE = `
:root { color-scheme: light dark; --ground: #f6f7f9; --card: #fff; --ink: #1b1f24; --quiet: #4c5560; --accent: #0a47ad; --on-accent: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #101418; --card: #1b2127; --ink: #eef1f4; --quiet: #b3bcc6; --accent: #a8c7fa; --on-accent: #062e6f; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--ground); color: var(--ink);
  font: 1.0625rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: 100%; max-width: 32rem; padding: 2rem; border-radius: 0.75rem; background: var(--card); overflow-wrap: anywhere; }
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 1rem; }
p:last-child { margin-bottom: 0; }
.quiet { color: var(--quiet); }
button { font: inherit; font-weight: 600; padding: 0.75rem 1.5rem; border: 0; border-radius: 0.5rem; background: var(--accent); color: var(--on-accent);
  cursor: pointer; min-height: 2.75rem; }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px; }
`;

/** Only this very style sheet is let in, and forms go nowhere but back. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** For every page: the link in the address bar is a credential. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": POLICY,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex, nofollow",
};

/** A whole document. `title` is text, `body` is HTML. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

/** A stranger's words inside a sentence of ours: whichever way they are written, the sentence keeps its order. */
export function quoted(text: string): string {
  return `<strong><bdi>${escaped(text)}</bdi></strong>`;
}

/** For a link that is incomplete, altered or nobody's. */
export function unknownLinkPage(): string {
  return page(
    "This link does not work",
    "<p>It may have been cut off on its way. Please open it from the message once more, or copy all of it.</p>",
  );
}

/** At the root of a tracking host. */
export function trackingHostPage(host: string): string {
  return page(
    "This address belongs to email",
    `<p>${quoted(host)} counts which messages are opened and which of their links are followed, for the sender who owns it. Links in those messages lead through it to where they say.</p>
<p class="quiet">There is nothing else to see here.</p>`,
  );
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
