// Lists the figures that large mailbox providers allow for one sending address: connections at the
// same time, and messages over one connection. A mail server belongs to a provider if its name ends
// in one of the names in the provider's `mx`. The figures come from KumoMTA's shaping file, which
// links the provider's own page for some of them. A provider may announce lower limits at run time
// (announced-limit.ts). Pure.

export interface ProviderLimits {
  readonly name: string;
  readonly mx: readonly string[];
  /** Maximum number of connections. Absent: the provider publishes no maximum. */
  readonly connections?: number;
  readonly messagesPerConnection?: number;
  /** The provider's web page for senders. */
  readonly page: string;
}

/** Source: https://github.com/KumoCorp/kumomta/blob/main/assets/policy-extras/shaping.toml */
export const PROVIDER_LIMITS: readonly ProviderLimits[] = [
  {
    name: "google",
    mx: ["google.com", "googlemail.com"],
    connections: 5,
    messagesPerConnection: 50,
    page: "https://support.google.com/mail/answer/81126",
  },
  {
    name: "microsoft-consumer",
    mx: ["olc.protection.outlook.com"],
    connections: 5,
    messagesPerConnection: 50,
    page: "https://sendersupport.olc.protection.outlook.com/pm/policies.aspx",
  },
  {
    name: "microsoft-365",
    mx: ["mail.protection.outlook.com"],
    connections: 5,
    messagesPerConnection: 50,
    page: "https://sendersupport.olc.protection.outlook.com/pm/policies.aspx",
  },
  {
    // Microsoft uses other servers for domains with DANE.
    name: "microsoft-365-dane",
    mx: ["mx.microsoft"],
    connections: 5,
    messagesPerConnection: 50,
    page: "https://learn.microsoft.com/exchange/security-and-compliance/how-dane-secures-email",
  },
  {
    name: "yahoo",
    mx: ["yahoodns.net"],
    messagesPerConnection: 20,
    page: "https://senders.yahooinc.com/best-practices",
  },
  {
    name: "apple",
    mx: ["mail.icloud.com"],
    connections: 10,
    messagesPerConnection: 5,
    page: "https://support.apple.com/102322",
  },
  {
    name: "comcast",
    mx: ["mx1.comcast.net", "mx2.comcast.net", "mxge.comcast.net"],
    connections: 25,
    messagesPerConnection: 1000,
    page: "https://postmaster.comcast.net",
  },
  {
    name: "orange",
    mx: ["orange.fr"],
    connections: 3,
    page: "https://postmaster.orange.fr",
  },
];
