// Detects other services that send or receive mail of a domain. Onboarding publishes the DMARC
// policy p=reject at the domain, so receivers would refuse mail of these services (docs/dns.md §The
// records of Cloudflare's Email Service). Pure except for the Resolver.
import { printable } from "../dns-answer-texts.ts";
import { BOUNCE_SERVER_ZONE } from "../email-service-records.ts";
import { dmarcHost, publishedAt } from "../policies/dmarc-record.ts";
import { type Resolver, valuesIn } from "../resolver.ts";
import { isSpfRecord, SPF_INCLUDE } from "../../../operator/mail-records.ts";

export type OtherMail =
  /** `none`: no other service uses the domain, or the domain already has a DMARC record. */
  { readonly kind: "none" } | { readonly kind: "others" | "unknown"; readonly message: string };

export async function findOtherMail(resolver: Resolver, domain: string): Promise<OtherMail> {
  const [policy, servers, texts] = await Promise.all([
    resolver.texts(dmarcHost(domain)),
    resolver.mailServers(domain),
    resolver.texts(domain),
  ]);
  if (publishedAt(new Map([[domain, policy]]), domain).kind === "one") return { kind: "none" };
  const failed = [policy, servers, texts].find((lookup) => lookup.kind === "failed");
  if (failed)
    return {
      kind: "unknown",
      message:
        `DNS did not show whether other services send mail from ${domain}: ` +
        `${printable(failed.reason)}. Verify the domain again.`,
    };
  const other = [
    ...valuesIn(servers)
      .filter(isOthersServer)
      .map((server) => `MX ${server}`),
    ...valuesIn(texts).filter(isOthersPolicy),
  ];
  if (other.length === 0) return { kind: "none" };
  return {
    kind: "others",
    message:
      `Others use ${domain} for mail (${printable(other.join(", "))}), and it has no DMARC ` +
      `record: onboarding would publish p=reject for their mail too. Publish a DMARC record at ` +
      `${dmarcHost(domain)}, such as v=DMARC1; p=none, and verify the domain again.`,
  };
}

/**
 * Returns whether an MX host is not the Email Service's. The host "." means that the domain
 * receives no mail (RFC 7505).
 */
function isOthersServer(server: string): boolean {
  return server !== "" && server !== "." && !server.endsWith(`.${BOUNCE_SERVER_ZONE}`);
}

/** Returns whether an SPF record allows a server that is not the Email Service's. */
function isOthersPolicy(text: string): boolean {
  const [, ...terms] = text.toLowerCase().split(" ");
  return (
    isSpfRecord(text) &&
    terms.some(
      (term) =>
        term !== "" &&
        !/^[-~?]all$/.test(term) &&
        term.replace(/^\+/, "") !== `include:${SPF_INCLUDE}`,
    )
  );
}
