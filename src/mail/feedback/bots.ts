// Who opened a message or followed its link, as far as the request tells (contract.md §Opens and
// clicks): a mailbox's image proxy is labelled, and machine traffic never becomes an event. The
// library's list takes every program that is no browser for a machine, so that mail programs are
// known by name here. Pure.
import { isbot } from "isbot";
import { USER_AGENT_CHARACTERS } from "../../limits.ts";

export type Visitor =
  | { readonly kind: "person" }
  /** Fetches images for its users; `source`: whose it is. */
  | { readonly kind: "proxy"; readonly source: string }
  | { readonly kind: "machine" };

const PERSON: Visitor = { kind: "person" };
const MACHINE: Visitor = { kind: "machine" };

/** With this before it, the library judges the words alone, not that there are few of them. */
const A_BROWSER = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/130.0";

/** Headers by which a fetch says that nobody has asked for it yet. */
const AHEAD_OF_USE = /\b(?:prefetch|prerender|preview|preconnect)\b/i;
const AHEAD_HEADERS = ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"];

/**
 * Gmail's own look at a message's images, before anyone sees it; what its proxy fetches for a
 * reader is told apart by its name.
 */
const GMAIL_PREFETCH = /Chrome\/42\.0\.2311\.135 Safari\/537\.36 Edge\/12\.246 Mozilla\/5\.0$/;

const PROXIES: readonly (readonly [pattern: RegExp, source: string])[] = [
  [/GoogleImageProxy|ggpht\.com|GmailImageProxy/i, "gmail"],
  [/YahooMailProxy/i, "yahoo"],
  // Apple's Mail Privacy Protection says this and no more.
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

/** A proxy of no known mailbox. It counts where nothing beside its name is a bot's. */
const OTHER_PROXY = /\S{0,64}(?:Image|Mail)[ -]?Proxy/i;

/**
 * Programs that look at mail for others than its reader, some under the name of a reader's program.
 */
const SCANNERS =
  /Existence Discovery|Protocol Discovery|Google-(?:Safety|Read-Aloud)|Barracuda|Proofpoint|Mimecast|IronPort|MessageLabs|Symantec|Forcepoint|Websense|Sophos|TrendMicro|FortiGuard|FortiMail|Trellix|FireEye|McAfee|Zscaler|Netskope|Avanan|Check ?Point|Abnormal ?Security|\bVade\b|Hornetsecurity|SpamTitan|Cloudmark|Cisco (?:Secure|Email)|SafeLinks|Safe Links|urldefense|URLScan|VirusTotal|PhishTank|Headless|PhantomJS|Selenium|Puppeteer|Playwright/i;

/**
 * Monitors, previews and coding agents that the library's list takes for browsers. Sources:
 * crawler-user-agents, and their makers' pages.
 */
const BROWSERS_OF_MACHINES =
  /GTmetrix|Miniature\.io|\bYLT Chrome|turingos|MetaIAB Facebook|\b(?:Code|Cursor|Trae|Windsurf)\/\d.{1,80} Electron\//i;

/** Programs in which people read mail. */
const MAIL_CLIENTS =
  /(?<![\w-])(?:(?:Microsoft |Mac)?Outlook|ms-office|MSOffice|Windows-Live-Mail|Thunderbird|Betterbird|AppleMail|^Mail(?=\/)|dataaccessd|Evolution|KMail2?|Kontact|Geary|Mailspring|Mailbird|MailMate|Postbox|eM ?Client|The Bat!|Airmail|^Spark|SparkDesktop|Sparrow|Edison(?: ?Mail)?|BlueMail|TypeApp|Aqua-?mail|K-9(?: Mail)?|FairEmail|Samsung ?Email|YahooMobile(?:Mail)?|YahooMail|NaverMailApp|DaumMail|Foxmail|Newton|Canary|Mimestream|Polymail|Nylas|ProtonMail|Tutanota-desktop|ZohoMail-Desktop|Lotus-Notes|HCL ?Notes|GroupWise|Zimbra|Zdesktop|Roundcube(?: Webmail)?|RainLoop|SnappyMail|Horde|SOGo|IncrediMail|Eudora|Trojita|Balsa|Claws(?: Mail)?|Sylpheed|Gmail(?=\/))(?!\w)/i;

/** Office looks at a link by itself before it hands it to a browser, which then asks as well. */
const OFFICE = /ms-office|MSOffice|Microsoft (?:Office|Outlook|Word|Excel|PowerPoint)/i;

/** `headers`: the request's. */
export function visitorOf(kind: "open" | "click", headers: Headers): Visitor {
  const agent = agentOf(headers);
  if (agent === null || AHEAD_HEADERS.some((name) => AHEAD_OF_USE.test(headers.get(name) ?? "")))
    return MACHINE;
  if (GMAIL_PREFETCH.test(agent) || SCANNERS.test(agent) || BROWSERS_OF_MACHINES.test(agent))
    return MACHINE;
  const proxy = proxyOf(agent);
  if (proxy !== undefined) return kind === "open" ? { kind: "proxy", source: proxy } : MACHINE;
  if (kind === "click" && OFFICE.test(agent)) return MACHINE;
  if (kind === "open" && MAIL_CLIENTS.test(agent))
    return isBotBeside(agent, MAIL_CLIENTS) ? MACHINE : PERSON;
  return isbot(agent) ? MACHINE : PERSON;
}

/** The mailbox whose proxy fetches; undefined: no proxy does. */
function proxyOf(agent: string): string | undefined {
  const [, source] = PROXIES.find(([pattern]) => pattern.test(agent)) ?? [];
  return (
    source ?? (OTHER_PROXY.test(agent) && !isBotBeside(agent, OTHER_PROXY) ? "other" : undefined)
  );
}

/** Whether a bot's words (spider, crawler, a URL) stand beside the name that `known` finds. */
function isBotBeside(agent: string, known: RegExp): boolean {
  return isbot(`${A_BROWSER} ${agent.replace(known, "")}`);
}

/** What a visitor says that it is, at most USER_AGENT_CHARACTERS of it; null: nothing. */
export function agentOf(headers: Headers): string | null {
  return headers.get("User-Agent")?.trim().slice(0, USER_AGENT_CHARACTERS).toWellFormed() || null;
}
