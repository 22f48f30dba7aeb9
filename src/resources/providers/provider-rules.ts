// Lists the mailbox providers and the filters in front of mailboxes: the names of their mail
// servers, and the domains in which only they create addresses. `source` is the provider's page
// about its servers or its rules for senders. Servers and contacts in the provider's own domain
// need no other source. Pure.

/**
 * The version of the rules. Counts store it, and the index of a chunk has it as a token. A change
 * of the rules must raise it (docs/storage.md §Counts).
 */
export const RULES_VERSION = 1;

interface ProviderRule {
  /** The name in responses and filters of the API. */
  readonly name: string;
  /** The name in sentences. */
  readonly title: string;
  /** Names of mail servers, and suffixes of such names. A suffix matches only after a dot. */
  readonly mx: readonly string[];
  /** Domains in which only the provider creates addresses. */
  readonly domains: readonly string[];
  readonly source: string;
  /** Pages about servers in domains without the provider's name. */
  readonly serverSources?: readonly string[];
  /** The page on which senders report refused mail. Absent: the page in `source` links to it. */
  readonly contact?: string;
  /** A page that names `contact`. Absent: the contact's own site shows its owner. */
  readonly contactSource?: string;
}

/** A public table of the mail servers of each provider. */
const MX_TABLE = "https://github.com/jace/mxsniff";
/** A public list of the forms with which providers accept senders' requests. */
const FORM_LIST = "https://forwardemail.net/en/faq";

/** Returns a brand's domains below each of several public suffixes. */
function below(brand: string, suffixes: string): string[] {
  return suffixes.split(" ").map((suffix) => `${brand}.${suffix}`);
}

export const PROVIDER_RULES = [
  {
    name: "google",
    title: "Google",
    mx: ["google.com", "googlemail.com"],
    domains: ["gmail.com", "googlemail.com"],
    source: "https://support.google.com/a/answer/174125",
    contact: "https://support.google.com/mail/contact/gmail_bulk_sender_escalation",
  },
  {
    name: "microsoft",
    title: "Microsoft",
    mx: [
      "protection.outlook.com",
      "mail.eo.outlook.com",
      "mx.microsoft",
      "protection.office365.us",
      "protection.partner.outlook.cn",
      "hotmail.com",
    ],
    domains: [
      "passport.com",
      "windowslive.com",
      "msn.com",
      ...below("outlook", "com at be cl cz de dk es fr hu ie in it jp kr lv my ph pt sa sg sk"),
      ...below("outlook", "co.id co.il co.th com.ar com.au com.br com.gr com.tr com.vn"),
      ...below("hotmail", "com be ca ch cl cz de dk es fi fr gr it nl no se sg"),
      ...below("hotmail", "co.il co.jp co.kr co.nz co.th co.uk co.za com.ar com.au com.br com.tr"),
      ...below("live", "com at be ca cl cn de dk fi fr hk ie in it jp nl no ru se"),
      ...below("live", "co.kr co.uk co.za com.ar com.au com.mx com.my com.ph com.pt com.sg"),
    ],
    source:
      "https://learn.microsoft.com/microsoft-365/enterprise/external-domain-name-system-records",
    serverSources: [
      "https://learn.microsoft.com/exchange/security-and-compliance/how-dane-secures-email",
    ],
    contact: "https://olcsupport.office.com",
    contactSource:
      "https://www.twilio.com/docs/sendgrid/concepts/inbox-provider-insights/microsoft",
  },
  {
    name: "yahoo",
    title: "Yahoo",
    mx: ["yahoodns.net", "mx.aol.com"],
    domains: [
      "ymail.com",
      "rocketmail.com",
      "myyahoo.com",
      "aol.com",
      "aim.com",
      "verizon.net",
      ...below("yahoo", "com at be bg ca cl cz de dk ee es fi fr gr hr hu ie in it lt lv nl no pl"),
      ...below("yahoo", "pt ro se sk co.id co.il co.in co.kr co.nz co.th co.uk co.za com.ar"),
      ...below("yahoo", "com.au com.br com.co com.hk com.mx com.my com.pe com.ph com.sg com.tr"),
      ...below("yahoo", "com.tw com.ve com.vn"),
    ],
    source: "https://senders.yahooinc.com/best-practices/",
    serverSources: [MX_TABLE],
    contact: "https://senders.yahooinc.com/contact",
  },
  {
    name: "apple",
    title: "Apple",
    mx: ["mail.icloud.com"],
    domains: ["icloud.com", "me.com", "mac.com", "privaterelay.appleid.com"],
    source: "https://support.apple.com/102322",
  },
  {
    name: "proofpoint",
    title: "Proofpoint",
    mx: ["pphosted.com", "ppe-hosted.com", "gpphosted.com"],
    domains: [],
    source: "https://help.proofpoint.com/Proofpoint_Essentials",
    serverSources: [MX_TABLE, "https://github.com/pect0ral/mail_recon"],
    contact: "https://ipcheck.proofpoint.com",
    contactSource: FORM_LIST,
  },
  {
    name: "mimecast",
    title: "Mimecast",
    mx: ["mimecast.com", "mimecast.co.za", "mimecast-offshore.com"],
    domains: [],
    source: "https://mimecastsupport.zendesk.com/hc/en-us/articles/42013775403155",
    serverSources: [
      "https://learn.microsoft.com/entra/identity/saas-apps/mimecast-personal-portal-tutorial",
    ],
  },
  {
    name: "barracuda",
    title: "Barracuda",
    mx: ["barracudanetworks.com"],
    domains: [],
    source: "https://campus.barracuda.com/product/emailgatewaydefense",
    contact: "https://www.barracudacentral.org/rbl/removal-request",
    contactSource: "https://docs.aws.amazon.com/ses/latest/dg/faqs-dnsbls.html",
  },
  {
    name: "cisco",
    title: "Cisco",
    mx: ["iphmx.com"],
    domains: [],
    source: "https://www.cisco.com/c/en/us/support/security/cloud-email-security/series.html",
    serverSources: ["https://www.captaindns.com/en/blog/cisco-secure-email-gateway"],
    contact: "https://talosintelligence.com/reputation_center/support",
  },
  {
    name: "trendmicro",
    title: "Trend Micro",
    mx: ["trendmicro.com", "trendmicro.eu", "trendmicro.com.au", "trendmicro.co.jp"],
    domains: [],
    source: "https://docs.trendmicro.com/en-us/documentation/article/trend-micro-email-security",
    contact: "https://servicecentral.trendmicro.com/en-us/ers/ip-lookup/",
  },
  {
    name: "symantec",
    title: "Symantec",
    mx: ["messagelabs.com"],
    domains: [],
    source: "https://techdocs.broadcom.com/email-security.html",
    serverSources: ["https://support.symantec.com/us/en/article.tech247121.html"],
  },
  {
    name: "sophos",
    title: "Sophos",
    mx: ["hydra.sophos.com"],
    domains: [],
    source: "https://docs.sophos.com/central/customer/help/en-us",
  },
  {
    name: "zoho",
    title: "Zoho",
    mx: [
      "zoho.com",
      "zoho.eu",
      "zoho.in",
      "zoho.com.au",
      "zoho.jp",
      "zohocloud.ca",
      "zohomail.com",
    ],
    domains: ["zohomail.com", "zohomail.eu", "zohomail.in"],
    source: "https://www.zoho.com/mail/help/adminconsole/configure-email-delivery.html",
  },
  {
    name: "fastmail",
    title: "Fastmail",
    mx: ["messagingengine.com"],
    domains: ["fastmail.com", "fastmail.fm"],
    source: "https://www.fastmail.help/hc/en-us/articles/360060591153",
  },
  {
    name: "proton",
    title: "Proton",
    mx: ["protonmail.ch"],
    domains: ["proton.me", "protonmail.com", "protonmail.ch", "pm.me"],
    source: "https://proton.me/support/custom-domain",
  },
  {
    name: "amazon",
    title: "Amazon",
    mx: below("inbound-smtp", "us-east-1 us-west-2 eu-west-1").map(
      (name) => `${name}.amazonaws.com`,
    ),
    domains: ["awsapps.com"],
    source: "https://docs.aws.amazon.com/workmail/latest/adminguide/add_domain.html",
    serverSources: ["https://docs.aws.amazon.com/ses/latest/dg/receiving-email-mx-record.html"],
  },
  {
    name: "cloudflare",
    title: "Cloudflare Email Routing",
    mx: ["mx.cloudflare.net"],
    domains: [],
    source: "https://developers.cloudflare.com/email-routing/postmaster/",
  },
  {
    name: "rackspace",
    title: "Rackspace",
    mx: ["emailsrvr.com"],
    domains: [],
    source: "https://docs.rackspace.com/docs/dns-record-definitions",
  },
  {
    name: "godaddy",
    title: "GoDaddy",
    mx: ["smtp.secureserver.net", "mailstore1.secureserver.net", "europe.secureserver.net"],
    domains: [],
    source: "https://www.godaddy.com/help/add-or-edit-mx-records-680",
    serverSources: [MX_TABLE],
    contact: "https://unblock.secureserver.net",
    contactSource: FORM_LIST,
  },
  {
    name: "ovh",
    title: "OVHcloud",
    mx: ["mail.ovh.net", "mail.ovh.ca"],
    domains: [],
    source: "https://help.ovhcloud.com/csm/en-dns-mx-records",
  },
  {
    name: "ionos",
    title: "IONOS",
    mx: ["kundenserver.de", ...below("ionos", "com co.uk de es fr it"), "1and1.com", "1and1.co.uk"],
    domains: [],
    source: "https://www.ionos.com/help/domains/mail-server-mx-records/",
    serverSources: ["https://deliveryman.ai/blog/kundenserver-blacklist-check-removal-process"],
  },
  {
    name: "gmx",
    title: "GMX and WEB.DE",
    mx: ["gmx.net", "web.de", "mx00.mail.com", "mx01.mail.com"],
    domains: [...below("gmx", "de net at ch com us fr es co.uk"), "web.de", "email.de", "mail.com"],
    source: "https://postmaster.gmx.net/en/email-policy",
    serverSources: [MX_TABLE],
    contact: "https://postmaster.gmx.net/en/contact",
  },
  {
    name: "telekom",
    title: "Telekom",
    mx: ["t-online.de"],
    domains: ["t-online.de", "magenta.de"],
    source: "https://postmaster.t-online.de",
  },
  {
    name: "orange",
    title: "Orange",
    mx: ["orange.fr"],
    domains: ["orange.fr", "wanadoo.fr"],
    source: "https://postmaster.orange.fr",
  },
  {
    name: "free",
    title: "Free",
    mx: ["free.fr"],
    domains: ["free.fr"],
    source: "https://postmaster.free.fr",
  },
  {
    name: "laposte",
    title: "La Poste",
    mx: ["laposte.net"],
    domains: ["laposte.net"],
    source: "https://postmaster.laposte.net",
  },
  {
    name: "sfr",
    title: "SFR",
    mx: ["sfr.fr"],
    domains: ["sfr.fr", "neuf.fr", "cegetel.net"],
    source: "https://postmaster.sfr.fr",
  },
  {
    name: "libero",
    title: "Libero",
    mx: ["libero.it", "virgilio.it"],
    domains: ["libero.it", "virgilio.it", "inwind.it", "iol.it"],
    source: "https://postmaster.libero.it",
  },
  {
    name: "comcast",
    title: "Comcast",
    mx: ["mx1.comcast.net", "mx2.comcast.net", "mxge.comcast.net"],
    domains: ["comcast.net"],
    source: "https://postmaster.comcast.net",
    contact: "https://spa.xfinity.com/report",
    contactSource: FORM_LIST,
  },
  {
    name: "seznam",
    title: "Seznam",
    mx: ["seznam.cz"],
    domains: ["seznam.cz", "email.cz", "post.cz"],
    source: "https://napoveda.seznam.cz/en/email/admins",
  },
  {
    name: "yandex",
    title: "Yandex",
    mx: ["yandex.net", "yandex.ru"],
    domains: [...below("yandex", "ru com by kz"), "ya.ru"],
    source: "https://yandex.com/support/postoffice/",
  },
  {
    name: "mailru",
    title: "Mail.ru",
    mx: ["mail.ru"],
    domains: ["mail.ru", "inbox.ru", "list.ru", "bk.ru", "internet.ru"],
    source: "https://postmaster.mail.ru",
  },
  {
    name: "tencent",
    title: "Tencent",
    mx: ["qq.com"],
    domains: ["qq.com", "foxmail.com"],
    source: "https://service.mail.qq.com",
  },
  {
    name: "netease",
    title: "NetEase",
    mx: ["netease.com"],
    domains: ["163.com", "126.com", "yeah.net"],
    source: "https://mail.163.com/postmaster",
  },
  {
    name: "naver",
    title: "Naver",
    mx: ["naver.com"],
    domains: ["naver.com"],
    source: "https://help.naver.com",
  },
] as const satisfies readonly ProviderRule[];
