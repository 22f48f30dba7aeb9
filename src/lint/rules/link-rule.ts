// Finds links that lead nowhere, and links that a filter takes for fraud. Pure.
import type { CheckedMail, AddProblem, LintProblem } from "../checked-mail.ts";
import type { HtmlTag, HtmlVisitor } from "../html-visitor.ts";
import { areRelatedHosts, hostShownIn, isAddress, shortUrl } from "../link-hosts.ts";

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const WITH_HOST = /^https?:\/\/[^/?#\s]/i;
/** Matches a host name with an empty label, which DNS does not allow. One final dot is allowed. */
const EMPTY_LABEL = /^\.|\.\./;
const DROPPED_SCHEMES = new Set(["javascript", "vbscript", "data", "file"]);
/**
 * Maximum number of characters of a link's text that are read, because a link can contain the whole
 * mail.
 */
const TEXT_CHARACTERS = 300;

const HOST_HELP =
  "Write the whole URL with https and a host: in a mail, a relative URL leads nowhere, so readers can't " +
  "follow the link.";
const HTTP_HELP =
  "Use https: browsers warn before they open a page by http, and others on the network can read " +
  "the link.";
const ADDRESS_HELP =
  "Use a host name: spam filters detect links to IP addresses (SpamAssassin: " +
  "NORMAL_HTTP_TO_IP, NUMERIC_HTTP_ADDR).";
const ELSEWHERE_HELP =
  "Show other words than a URL, or the link's own host: a URL that leads elsewhere looks like " +
  "fraud to filters and to readers.";

type Verdict = Pick<LintProblem, "severity" | "message" | "help">;

export function beginLinks(mail: CheckedMail, report: AddProblem): HtmlVisitor {
  const { clickHost, ownUrls } = mail;
  let open: { readonly tag: HtmlTag; readonly url: string; text: string } | undefined;
  const empty: HtmlTag[] = [];
  const tell = (tag: HtmlTag, url: string, verdict: Verdict): void =>
    report({ ...verdict, at: { offset: tag.start, words: url } });
  const finish = (): void => {
    if (!open) return;
    const { tag, url, text } = open;
    open = undefined;
    const isTracked = clickHost !== null && tag.value("data-no-track") === undefined;
    const verdict = judgeText(text, url, isTracked ? clickHost : null);
    if (verdict) tell(tag, url, verdict);
  };
  return {
    open: (tag) => {
      if (tag.name !== "a" && tag.name !== "area") return;
      if (tag.name === "a") finish();
      const url = tag.value("href")?.trim();
      if (url === undefined || ownUrls.some((own) => url.startsWith(own))) return;
      if (url === "" || url === "#") empty.push(tag);
      const verdict = judgeUrl(url);
      if (verdict) tell(tag, url, verdict);
      if (tag.name === "a") open = { tag, url, text: "" };
    },
    text: (text) => {
      if (open && open.text.length < TEXT_CHARACTERS) open.text += text;
    },
    close: (name) => {
      if (name === "a") finish();
    },
    end: () => {
      finish();
      const [first] = empty;
      const are = empty.length === 1 ? "1 link leads" : `${empty.length} links lead`;
      if (first)
        tell(first, "", { severity: "note", message: `${are} nowhere yet.`, help: HOST_HELP });
    },
  };
}

function judgeUrl(url: string): Verdict | undefined {
  if (url === "") return undefined;
  const link = `The link ${shortUrl(url)}`;
  const [, scheme] = SCHEME.exec(url) ?? [];
  if (url.startsWith("#") || url.startsWith("{{")) return undefined;
  if (url.startsWith("//"))
    return { severity: "warning", message: `${link} has no scheme.`, help: HOST_HELP };
  if (scheme === undefined) return errorOf(`${link} has no host.`);
  const kind = scheme.toLowerCase();
  if (DROPPED_SCHEMES.has(kind))
    return {
      severity: "warning",
      message: `${link} is dropped: mail programs follow no link by ${kind}.`,
      help: "Link to a page by https.",
    };
  return kind === "http" || kind === "https" ? judgeWebUrl(url, link) : undefined;
}

function judgeWebUrl(url: string, link: string): Verdict | undefined {
  if (!WITH_HOST.test(url)) return errorOf(`${link} has no host.`);
  if (!URL.canParse(url)) return url.includes("{{") ? undefined : errorOf(`${link} is not a URL.`);
  const parsed = new URL(url);
  if (EMPTY_LABEL.test(parsed.hostname)) return errorOf(`${link} has no host: ${parsed.hostname}.`);
  if (isAddress(parsed.hostname) || !parsed.hostname.includes("."))
    return {
      severity: "warning",
      message: `${link} leads to the bare address ${parsed.hostname}.`,
      help: ADDRESS_HELP,
    };
  if (parsed.protocol === "http:")
    return { severity: "warning", message: `${link} goes by http.`, help: HTTP_HELP };
  return undefined;
}

function errorOf(message: string): Verdict {
  return { severity: "error", message, help: HOST_HELP };
}

/**
 * Compares a URL in a link's text with the URL of the link. `clickHost` is the host of the tracked
 * link.
 */
function judgeText(text: string, url: string, clickHost: string | null): Verdict | undefined {
  const visible = hostShownIn(text.trim());
  const isWeb = WITH_HOST.test(url) && URL.canParse(url);
  const target = isWeb ? new URL(url).hostname : undefined;
  if (visible === undefined || target === undefined || target.includes("{")) return undefined;
  if (!areRelatedHosts(visible, target))
    return {
      severity: "warning",
      message: `The link shows ${visible}, and leads to ${target}.`,
      help: ELSEWHERE_HELP,
    };
  return clickHost === null || areRelatedHosts(visible, clickHost)
    ? undefined
    : {
        severity: "warning",
        message: `The link shows ${visible}, and click tracking leads it through ${clickHost}.`,
        help: `${ELSEWHERE_HELP} The attribute \`data-no-track\` keeps a link as it is.`,
      };
}
