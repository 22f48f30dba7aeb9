// Tests how visitors are classified (src/mail/feedback/bots.ts): people with any mail client, image
// proxies by name, and machines, whose visits never make an event.
import { describe, expect, it } from "vitest";
import { agentOf, visitorOf } from "../../../../src/mail/feedback/bots.ts";

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
  "Chrome/129.0.0.0 Safari/537.36";
const PREFETCH_OF_GMAIL =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
  "Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0";

const BROWSERS = [
  CHROME,
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "Chrome/128.0.0.0 Safari/537.36",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/127.0.0.0 " +
    "Safari/537.36",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "Chrome/129.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Linux; Android 14; SM-S921B; wv) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "Version/4.0 Chrome/128.0.6613.146 Mobile Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "Chrome/129.0.0.0 Safari/537.36 Edg/129.0.0.0",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "Chrome/128.0.0.0 Safari/537.36 OPR/114.0.0.0",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:130.0) Gecko/20100101 Firefox/130.0",
  "Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
    "Version/17.6 Safari/605.1.15",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like " +
    "Gecko) Version/17.6 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like " +
    "Gecko) CriOS/128.0.6613.98 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
    "FxiOS/130.0 Mobile/15E148 Safari/605.1.15",
  "Mozilla/5.0 (Linux; Android 13; SAMSUNG SM-A546B) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "Chrome/128.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko",
  "Mozilla/5.0 (Linux; Android 6.0; CUBOT MAX) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "Chrome/72.0.3626.121 Mobile Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 13_3_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBDV/iPhone11,8;FBMD/iPhone;FBSN/iOS;FBSV/13.3.1;FBSS/2;FBID/phone;FBLC/en_US;FBOP/5;FBCR/]",
  "Mozilla/5.0 (Linux; Android 11; Pixel 2 Build/RP1A.201005.004.A1; wv) AppleWebKit/537.36 " +
    "(KHTML, like Gecko) Version/4.0 Chrome/91.0.4472.120 Mobile Safari/537.36 Instagram " +
    "194.0.0.36.172 Android",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "Slack/4.39.90 Chrome/127.0.6533.72 Electron/13.1.9 Safari/537.36",
];

const MAIL_PROGRAMS = [
  "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; .NET4.0C; " +
    "Microsoft Outlook 16.0.5134; ms-office; MSOffice 16)",
  "Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)",
  "Outlook-iOS/709.2226530.prod.iphone (3.24.1)",
  "Outlook-Android/2.0",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Thunderbird/128.2.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like " +
    "Gecko) Mobile/15E148",
  "Mail/3774.600.62 CFNetwork/1494.0.7 Darwin/23.4.0",
  "macOS/14.4 (23E214) dataaccessd/1.0",
  "Dalvik/2.1.0 (Linux; U; Android 14; SM-G991B Build/UP1A.231005.007)",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Evolution/3.52",
  "eM Client/9.2.2157.0",
  "K-9 Mail/6.8",
  "Mailspring/1.13",
  "Lotus-Notes/6.0 (Windows-NT)",
  "SamsungEmail/6.1",
  "Airmail 1.0 rv:148 (Macintosh; Mac OS X 10.8.3; en_BE)",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "BlueMail/0.10.31 Chrome/61.0.3163.100 Electron/2.0.18 Safari/537.36",
  "Evolution/3.52.3",
  "eMClient/9.2.2157.0",
  "Mozilla/5.0 (Windows NT 6.2; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "Chrome/49.0.2623.110 Safari/537.36 foxmail/7.2.15.80",
  "KMail/4.14.10 (FreeBSD/12.0-CURRENT; KDE/4.14.10; amd64; ; )",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/534.34 (KHTML, like Gecko) kmail2/5.7.3 " +
    "Safari/534.34",
  "MacOutlook/14.7.1.161129 (Intel Mac OS X 10.9.6)",
  "NaverMailApp/2.1.23 (Android 10; SM-N960N)",
  "YahooMobileMail/1.0 (Android Mail; 1.3.10) (supersonic;HTC;PC36100;2.3.5/GRJ90)",
  "Mail/16.0 CFNetwork/1410.0.3 Darwin/22.6.0",
  "Spark/3.6 CFNetwork/1490.0.4 Darwin/23.2.0",
  "Sylpheed/3.7",
  "SOGoMail/5.8 SOGo/5.8",
];

const PROXIES: [agent: string, source: string][] = [
  [
    "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
    "gmail",
  ],
  [
    "Mozilla/5.0 (Windows; U; Windows NT 5.1; de; rv:1.9.0.7) Gecko/2009021910 Firefox/3.0.7 " +
      "(via ggpht.com GoogleImageProxy)",
    "gmail",
  ],
  ["YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html", "yahoo"],
  [
    "Mozilla/5.0 (compatible; YahooMailProxy; " +
      "https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html)",
    "yahoo",
  ],
  ["Mozilla/5.0", "apple"],
  ["Outlook.com Image Proxy/1.0", "outlook"],
  ["ProtonMail Image Proxy", "proton"],
  ["Mozilla/5.0 (compatible; YandexImageResizer/2.0; +http://yandex.com/bots)", "yandex"],
  ["Mail.Ru Image Proxy", "mail.ru"],
  ["FastmailImageProxy/1.0", "fastmail"],
  ["Mozilla/5.0 (compatible; Superhuman Image Proxy)", "superhuman"],
  ["Mozilla/5.0 SeznamEmailProxy/2.0.174", "seznam"],
  ["RamblerMail/6.0 (incompatible; ImageProxy/6.0)", "rambler"],
  [
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/55.0.2883.87 Safari/537.36 (via " +
      "secureurl.fwdcdn.com - mail.ukr.net proxy)",
    "ukr.net",
  ],
  ["Some ImageProxy/2", "other"],
];

const MACHINES = [
  PREFETCH_OF_GMAIL,
  "Barracuda Sentinel (EE)",
  "Mozilla/5.0 (compatible; Proofpoint/2.0)",
  `${CHROME} Proofpoint`,
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Microsoft Office Existence " +
    "Discovery",
  "Microsoft Office Protocol Discovery",
  "Mozilla/5.0 (Windows NT 10.0) Mimecast",
  "Mozilla/5.0 (compatible; Google-Safety; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "WhatsApp/2.23.20.0",
  "Twitterbot/1.0",
  "TelegramBot (like TwitterBot)",
  "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
  "Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "HeadlessChrome/124.0.0.0 Safari/537.36",
  "curl/8.5.0",
  "Wget/1.21.4",
  "python-requests/2.31.0",
  "Python/3.11 aiohttp/3.9.1",
  "Go-http-client/2.0",
  "Java/17.0.2",
  "Apache-HttpClient/4.5.14 (Java/11.0.2)",
  "axios/1.6.0",
  "node",
  "Amazon CloudFront",
  "lua-resty-http/0.10 (Lua) ngx_lua/10019",
  "Chrome Privacy Preserving Prefetch Proxy",
  "okhttp/4.12.0",
  "Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)",
  "BinaryCanary/1.0 (+https://www.binarycanary.com)",
  "SparkShipping",
  "Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Thunderbird/115.0 ExampleSpider/1.0",
  "Outlook/16.0 (+https://links.example/why)",
  "Evolution/3.52 crawler",
  "Dalvik/2.1.0 (Linux; U; Android 5.1.1_r1; Samsung Galaxy S4 Build/SGH-I337M)(googleweblight)",
  "NewsBlur/4.0.1 CFNetwork/672.1.13 Darwin/14.0.0",
  "swcd (unknown version) CFNetwork/1128.0.1 Darwin/19.6.0",
  "Example Image Proxy https://images.example",
  `${CHROME} GTmetrix`,
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
    "Code/1.115.0 Chrome/142.0.7444.265 Electron/39.8.5 Safari/537.36",
];

const from = (agent: string, more: Record<string, string> = {}) =>
  new Headers({ "User-Agent": agent, ...more });

describe("a visitor", () => {
  it.each(BROWSERS)("is a person with the browser %s", (agent) => {
    expect(visitorOf("open", from(agent))).toEqual({ kind: "person" });
    expect(visitorOf("click", from(agent))).toEqual({ kind: "person" });
  });

  it.each(MAIL_PROGRAMS)("is a person who opens with %s", (agent) => {
    expect(visitorOf("open", from(agent))).toEqual({ kind: "person" });
  });

  it.each(PROXIES)("is the proxy %s, which opens and never clicks", (agent, source) => {
    expect(visitorOf("open", from(agent))).toEqual({ kind: "proxy", source });
    expect(visitorOf("click", from(agent))).toEqual({ kind: "machine" });
  });

  it.each(MACHINES)("is the machine %s", (agent) => {
    expect(visitorOf("open", from(agent))).toEqual({ kind: "machine" });
    expect(visitorOf("click", from(agent))).toEqual({ kind: "machine" });
  });

  it("is a machine without a user agent", () => {
    for (const headers of [new Headers(), from(""), from("  ")])
      expect(visitorOf("open", headers)).toEqual({ kind: "machine" });
  });

  it.each([
    ["Sec-Purpose", "prefetch"],
    ["Sec-Purpose", "prefetch;prerender"],
    ["Sec-Purpose", "prefetch;anonymous-client-ip"],
    ["Purpose", "prefetch"],
    ["Purpose", "preview"],
    ["X-Purpose", "preview"],
    ["X-Moz", "prefetch"],
  ])("is a machine when it marks its request as speculative: %s: %s", (name, value) => {
    expect(visitorOf("click", from(CHROME, { [name]: value }))).toEqual({ kind: "machine" });
    expect(visitorOf("open", from(CHROME, { [name]: value }))).toEqual({ kind: "machine" });
  });

  it("is a machine when Office tries a link before the browser", () => {
    for (const agent of MAIL_PROGRAMS.slice(0, 2))
      expect(visitorOf("click", from(agent))).toEqual({ kind: "machine" });
  });

  it("has a user agent of limited length", () => {
    expect(agentOf(from("a".repeat(5_000)))).toHaveLength(512);
    expect(agentOf(new Headers())).toBeNull();
  });
});
