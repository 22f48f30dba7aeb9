// Who opened a message or followed its link, as far as the request tells (spec.md "Events": a mailbox image proxy is labelled, pure machine traffic never
// becomes an event). What a person uses to read mail comes first, since the general list takes every program that is no browser for a machine. Pure.
import { isbot } from "isbot";
import { USER_AGENT_CHARACTERS } from "../../limits.ts";

export type Visitor =
  | { readonly kind: "person" }
  /** Fetches images for its users; `source`: whose it is. */
  | { readonly kind: "proxy"; readonly source: string }
  | { readonly kind: "machine" };

const PERSON: Visitor = { kind: "person" };
const MACHINE: Visitor = { kind: "machine" };

/** Headers by which a fetch says that nobody has asked for it yet. */
const AHEAD_OF_USE = /\b(?:prefetch|prerender|preview|preconnect)\b/i;
const AHEAD_HEADERS = ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"];

/** Gmail's own look at a message's images, before anyone sees it; what its proxy fetches for a reader is told apart by its name. */
const GMAIL_PREFETCH = /Chrome\/42\.0\.2311\.135 Safari\/537\.36 Edge\/12\.246 Mozilla\/5\.0$/;

const PROXIES: readonly (readonly [pattern: RegExp, source: string])[] = [
  [/GoogleImageProxy|ggpht\.com|GmailImageProxy/i, "gmail"],
  [/YahooMailProxy/i, "yahoo"],
  // Apple's Mail Privacy Protection says this and no more.
  [/^Mozilla\/5\.0$/, "apple"],
  [/Mail-?Privacy-?Protection|iCloud[ -]?(?:Mail[ -]?)?Image[ -]?Proxy/i, "apple"],
  [/(?:Outlook|OWA|Exchange|Hotmail)[ .a-z-]*Image[ -]?Proxy/i, "outlook"],
  [/Proton(?:Mail)?[ -]?(?:Image)?[ -]?Proxy/i, "proton"],
  [/YandexImageResizer|Yandex[ .a-z-]*Image[ -]?Proxy/i, "yandex"],
  [/Mail\.Ru[ /.a-z-]*Image[ -]?Proxy/i, "mail.ru"],
  [/Fast-?Mail[ -]?Image[ -]?Proxy/i, "fastmail"],
  [/Zoho[ .a-z-]*Image[ -]?Proxy/i, "zoho"],
  [/Superhuman/i, "superhuman"],
  [/DuckDuckGo[ .a-z-]*(?:Email|Image)[ -]?(?:Protection|Proxy)/i, "duckduckgo"],
  [/(?:Image|Mail)[ -]?Proxy/i, "other"],
];

/** Programs that look at mail for others than its reader, some under the name of a reader's program. */
const SCANNERS =
  /Existence Discovery|Protocol Discovery|Google-(?:Safety|Read-Aloud)|Barracuda|Proofpoint|Mimecast|IronPort|MessageLabs|Symantec|Forcepoint|Websense|Sophos|TrendMicro|FortiGuard|FortiMail|Trellix|FireEye|McAfee|Zscaler|Netskope|Avanan|Check ?Point|Abnormal ?Security|Vade|Hornetsecurity|SpamTitan|Cloudmark|Cisco (?:Secure|Email)|SafeLinks|Safe Links|urldefense|URLScan|VirusTotal|PhishTank|Headless|PhantomJS|Selenium|Puppeteer|Playwright/i;

/** What people read mail with, and the libraries by which mail apps load a message's images. */
const MAIL_CLIENTS =
  /Outlook|ms-office|MSOffice|Thunderbird|Betterbird|AppleMail|^Mail\/|dataaccessd|CFNetwork|Dalvik|^okhttp|Evolution|KMail|Kontact|Geary|Mailspring|Postbox|eM ?Client|The Bat!|Airmail|^Spark|Edison|BlueMail|TypeApp|Aqua-?mail|K-9|FairEmail|Samsung ?Email|Newton|Canary|Mimestream|Lotus-Notes|HCL ?Notes|GroupWise|Zimbra|Roundcube|Horde|SOGo|Vivaldi|Claws|Sylpheed|Gmail\//i;

/** Office looks at a link by itself before it hands it to a browser, which then asks as well. */
const OFFICE = /ms-office|MSOffice|Microsoft (?:Office|Outlook|Word|Excel|PowerPoint)/i;

/** `headers`: the request's. */
export function visitorOf(kind: "open" | "click", headers: Headers): Visitor {
  const agent = agentOf(headers);
  if (agent === null || AHEAD_HEADERS.some((name) => AHEAD_OF_USE.test(headers.get(name) ?? ""))) return MACHINE;
  if (GMAIL_PREFETCH.test(agent) || SCANNERS.test(agent)) return MACHINE;
  const proxy = PROXIES.find(([pattern]) => pattern.test(agent));
  if (proxy) return kind === "open" ? { kind: "proxy", source: proxy[1] } : MACHINE;
  if (kind === "click" && OFFICE.test(agent)) return MACHINE;
  if (kind === "open" && MAIL_CLIENTS.test(agent)) return PERSON;
  return isbot(agent) ? MACHINE : PERSON;
}

/** What a visitor says that it is, at most USER_AGENT_CHARACTERS of it; null: nothing. */
export function agentOf(headers: Headers): string | null {
  return headers.get("User-Agent")?.trim().slice(0, USER_AGENT_CHARACTERS).toWellFormed() || null;
}
