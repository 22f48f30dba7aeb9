// Classifies, by the request's headers, the visitor that opened a message or followed a link in it
// (contract.md §Opens and clicks). The image proxy of a mailbox provider is labelled, and visits by
// machines never become events. The isbot library classes every program that is not a browser as a
// bot, so this file lists mail clients itself. Pure.
import { isbot } from "isbot";
import { USER_AGENT_CHARACTERS } from "../../limits.ts";

export type Visitor =
  | { readonly kind: "person" }
  /** A service that fetches images for its users. `source` names its mailbox provider. */
  | { readonly kind: "proxy"; readonly source: string }
  | { readonly kind: "machine" };

const PERSON: Visitor = { kind: "person" };
const MACHINE: Visitor = { kind: "machine" };

/**
 * The user agent of a browser. hasBotWords() puts it before the agent that isbot judges, because
 * isbot would call a short agent a bot.
 */
const A_BROWSER = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/130.0";

/**
 * Headers in which a client marks a request as speculative, which means that no user has asked for
 * the content yet.
 */
const AHEAD_OF_USE = /\b(?:prefetch|prerender|preview|preconnect)\b/i;
const AHEAD_HEADERS = ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"];

/**
 * The user agent with which Gmail prefetches a message's images before the recipient opens it. When
 * a reader opens the message, the request has the proxy's name (GoogleImageProxy) instead.
 */
const GMAIL_PREFETCH = /Chrome\/42\.0\.2311\.135 Safari\/537\.36 Edge\/12\.246 Mozilla\/5\.0$/;

const PROXIES: readonly (readonly [pattern: RegExp, source: string])[] = [
  [/GoogleImageProxy|ggpht\.com|GmailImageProxy/i, "gmail"],
  [/YahooMailProxy/i, "yahoo"],
  // The user agent of Apple's Mail Privacy Protection is exactly this text, without any addition.
  [/^Mozilla\/5\.0$/, "apple"],
  [/Mail-?Privacy-?Protection|iCloud[ -]?(?:Mail[ -]?)?Image[ -]?Proxy/i, "apple"],
  [/(?:Outlook|OWA|Exchange|Hotmail)[ .a-z-]{0,64}Image[ -]?Proxy/i, "outlook"],
  [/Proton(?:Mail)?[ -]?(?:Image)?[ -]?Proxy/i, "proton"],
  [/YandexImageResizer|Yandex[ .a-z-]{0,64}Image[ -]?Proxy/i, "yandex"],
  [/Mail\.Ru[ /.a-z-]{0,64}Image[ -]?Proxy/i, "mail.ru"],
  [/RamblerMail/i, "rambler"],
  [/SeznamEmailProxy/i, "seznam"],
  [/mail\.ukr\.net proxy/i, "ukr.net"],
  [/Fast-?Mail[ -]?Image[ -]?Proxy/i, "fastmail"],
  [/Zoho[ .a-z-]{0,64}Image[ -]?Proxy/i, "zoho"],
  [/Superhuman/i, "superhuman"],
  [/DuckDuckGo[ .a-z-]{0,64}(?:Email|Image)[ -]?(?:Protection|Proxy)/i, "duckduckgo"],
];

/**
 * Matches an image proxy of an unknown provider. Its request counts as an open unless the rest of
 * its user agent looks like a bot.
 */
const OTHER_PROXY = /\S{0,64}(?:Image|Mail)[ -]?Proxy/i;

/**
 * Programs that request a message's links and images although no person reads the message. Some of
 * them use the name of a mail client.
 */
const SCANNERS =
  /Existence Discovery|Protocol Discovery|Google-(?:Safety|Read-Aloud)|Barracuda|Proofpoint|Mimecast|IronPort|MessageLabs|Symantec|Forcepoint|Websense|Sophos|TrendMicro|FortiGuard|FortiMail|Trellix|FireEye|McAfee|Zscaler|Netskope|Avanan|Check ?Point|Abnormal ?Security|\bVade\b|Hornetsecurity|SpamTitan|Cloudmark|Cisco (?:Secure|Email)|SafeLinks|Safe Links|urldefense|URLScan|VirusTotal|PhishTank|Headless|PhantomJS|Selenium|Puppeteer|Playwright/i;

/**
 * Monitors, previews and coding agents that isbot considers browsers. Sources: crawler-user-agents,
 * and the pages of the makers.
 */
const BROWSERS_OF_MACHINES =
  /GTmetrix|Miniature\.io|\bYLT Chrome|turingos|MetaIAB Facebook|\b(?:Code|Cursor|Trae|Windsurf)\/\d.{1,80} Electron\//i;

/** Programs in which people read mail. */
const MAIL_CLIENTS =
  /(?<![\w-])(?:(?:Microsoft |Mac)?Outlook|ms-office|MSOffice|Windows-Live-Mail|Thunderbird|Betterbird|AppleMail|^Mail(?=\/)|dataaccessd|Evolution|KMail2?|Kontact|Geary|Mailspring|Mailbird|MailMate|Postbox|eM ?Client|The Bat!|Airmail|^Spark|SparkDesktop|Sparrow|Edison(?: ?Mail)?|BlueMail|TypeApp|Aqua-?mail|K-9(?: Mail)?|FairEmail|Samsung ?Email|YahooMobile(?:Mail)?|YahooMail|NaverMailApp|DaumMail|Foxmail|Newton|Canary|Mimestream|Polymail|Nylas|ProtonMail|Tutanota-desktop|ZohoMail-Desktop|Lotus-Notes|HCL ?Notes|GroupWise|Zimbra|Zdesktop|Roundcube(?: Webmail)?|RainLoop|SnappyMail|Horde|SOGo|IncrediMail|Eudora|Trojita|Balsa|Claws(?: Mail)?|Sylpheed|Gmail(?=\/))(?!\w)/i;

/**
 * Matches Office, which itself requests a link, and then opens the browser, which requests the link
 * again.
 */
const OFFICE = /ms-office|MSOffice|Microsoft (?:Office|Outlook|Word|Excel|PowerPoint)/i;

/** Classifies a visitor by the headers of its request. */
export function visitorOf(kind: "open" | "click", headers: Headers): Visitor {
  const agent = agentOf(headers);
  if (agent === null || isAheadOfUse(headers) || isMachine(agent)) return MACHINE;
  const proxy = proxyOf(agent);
  if (proxy !== undefined) return kind === "open" ? { kind: "proxy", source: proxy } : MACHINE;
  if (kind === "open" && MAIL_CLIENTS.test(agent))
    return hasBotWords(agent, MAIL_CLIENTS) ? MACHINE : PERSON;
  return isbot(agent) || (kind === "click" && OFFICE.test(agent)) ? MACHINE : PERSON;
}

function isAheadOfUse(headers: Headers): boolean {
  return AHEAD_HEADERS.some((name) => AHEAD_OF_USE.test(headers.get(name) ?? ""));
}

function isMachine(agent: string): boolean {
  return GMAIL_PREFETCH.test(agent) || SCANNERS.test(agent) || BROWSERS_OF_MACHINES.test(agent);
}

/**
 * Returns the mailbox provider that runs the proxy. Undefined means that the agent is not a proxy.
 */
function proxyOf(agent: string): string | undefined {
  const [, source] = PROXIES.find(([pattern]) => pattern.test(agent)) ?? [];
  return (
    source ?? (OTHER_PROXY.test(agent) && !hasBotWords(agent, OTHER_PROXY) ? "other" : undefined)
  );
}

/**
 * Returns whether the agent has a bot's words (spider, crawler, a URL) besides the name that
 * `known` matches.
 */
function hasBotWords(agent: string, known: RegExp): boolean {
  return isbot(`${A_BROWSER} ${agent.replace(known, "")}`);
}

/**
 * Returns the visitor's user agent, cut to USER_AGENT_CHARACTERS. Null means that the visitor sent
 * no user agent.
 */
export function agentOf(headers: Headers): string | null {
  return headers.get("User-Agent")?.trim().slice(0, USER_AGENT_CHARACTERS).toWellFormed() || null;
}
