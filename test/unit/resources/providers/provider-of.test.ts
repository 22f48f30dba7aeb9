// Tests src/resources/providers/provider-of.ts: which mail servers belong to which provider, and
// which recipient domains if no mail server is known.
import { describe, expect, it } from "vitest";
import {
  eventProvider,
  PROVIDERS,
  providerOf,
  simulatorDomain,
} from "../../../../src/resources/providers/provider-of.ts";
import { PROVIDER_RULES } from "../../../../src/resources/providers/provider-rules.ts";

describe("the provider of a mail server", () => {
  it.each([
    ["aspmx.l.google.com", "google"],
    ["alt1.gmail-smtp-in.l.google.com", "google"],
    ["smtp.google.com", "google"],
    ["ASPMX2.GoogleMail.com.", "google"],
    ["contoso-com.mail.protection.outlook.com", "microsoft"],
    ["hotmail-com.olc.protection.outlook.com", "microsoft"],
    ["contoso-com.o-v1.mx.microsoft", "microsoft"],
    ["mta5.am0.yahoodns.net", "yahoo"],
    ["mx01.mail.icloud.com", "apple"],
    ["mxa-00123456.gslb.pphosted.com", "proofpoint"],
    ["mx1-us1.ppe-hosted.com", "proofpoint"],
    ["eu-smtp-inbound-1.mimecast.com", "mimecast"],
    ["d12345.ess.barracudanetworks.com", "barracuda"],
    ["mx1.hc123-45.iphmx.com", "cisco"],
    ["cluster5.eu.messagelabs.com", "symantec"],
    ["mx2.zoho.eu", "zoho"],
    ["in1-smtp.messagingengine.com", "fastmail"],
    ["mailsec.protonmail.ch", "proton"],
    ["inbound-smtp.eu-west-1.amazonaws.com", "amazon"],
    ["route1.mx.cloudflare.net", "cloudflare"],
    ["mx00.kundenserver.de", "ionos"],
    ["mx00.emig.gmx.net", "gmx"],
    ["mx-ha02.web.de", "gmx"],
    ["mx00.t-online.de", "telekom"],
    ["smtp-in.orange.fr", "orange"],
    ["mxs.mail.ru", "mailru"],
    ["mx.yandex.net", "yandex"],
    ["mx3.qq.com", "tencent"],
    ["163mx01.mxmail.netease.com", "netease"],
    ["mx1.naver.com", "naver"],
    ["mx.example.net", "other"],
    ["google.com.example.net", "other"],
    ["notgoogle.com", "other"],
    ["ec2-192-0-2-1.compute.amazonaws.com", "other"],
    ["com", "other"],
    ["", "other"],
  ])("%s is %s", (mxHost, provider) => {
    expect(providerOf(mxHost, "customer.example")).toBe(provider);
  });
});

describe("the provider of a domain", () => {
  it.each([
    ["gmail.com", "google"],
    ["hotmail.co.uk", "microsoft"],
    ["outlook.de", "microsoft"],
    ["yahoo.fr", "yahoo"],
    ["aol.com", "yahoo"],
    ["icloud.com", "apple"],
    ["web.de", "gmx"],
    ["wanadoo.fr", "orange"],
    ["yahoo.co.jp", null],
    ["mail.gmail.com", null],
    ["customer.example", null],
  ])("is that of %s if no server is known", (domain, provider) => {
    expect(providerOf(null, domain)).toBe(provider);
  });

  it("gives way to that of a known server, but counts beside a server that no rule names", () => {
    expect(providerOf("mx.pphosted.com", "gmail.com")).toBe("proofpoint");
    expect(providerOf("mx.example.net", "gmail.com")).toBe("google");
  });

  it("is the simulator's for its addresses alone, whatever server answered", () => {
    const simulated = simulatorDomain("postern.test");
    const of = (recipient: string, mxHost: string | null) =>
      eventProvider({ recipient, mxHost }, simulated);
    expect(of("Bounced@Simulator.Postern.test", "mx.simulator.postern.test")).toBe("simulator");
    expect(of("delivered@simulator.postern.test", null)).toBe("simulator");
    expect(of("delivered@simulator.elsewhere.example", null)).toBe(null);
  });
});

describe("the rules", () => {
  it("name each server and each domain once, in lower case, with a source", () => {
    for (const names of [
      PROVIDER_RULES.flatMap(({ mx }) => [...mx]),
      PROVIDER_RULES.flatMap(({ domains }) => [...domains]),
      [...PROVIDERS],
    ])
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    for (const { mx, domains, source } of PROVIDER_RULES) {
      for (const name of [...mx, ...domains]) expect(name).toMatch(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/);
      expect(new URL(source).protocol).toBe("https:");
    }
  });
});
