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
import { pairsOf } from "../../fixture-rows.ts";

describe("the provider of a mail server", () => {
  it.each(pairsOf("providers", "mail servers"))("%s is %s", (mxHost, provider) => {
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
  ])("is decided by its name if no server is known: %s is %s", (domain, provider) => {
    expect(providerOf(null, domain)).toBe(provider);
  });

  it("counts only if no rule knows the mail server", () => {
    expect(providerOf("mx.pphosted.com", "gmail.com")).toBe("proofpoint");
    expect(providerOf("mx.example.net", "gmail.com")).toBe("google");
  });

  it("is the simulator for the simulator's addresses alone, whatever server answered", () => {
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
