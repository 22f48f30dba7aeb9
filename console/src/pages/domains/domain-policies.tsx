// The domain's policies as a mail receiver reads them: SPF, DMARC, MTA-STS and BIMI.
import type { DomainDns } from "../../../../packages/postern/src/generated/types.ts";
import { Pill } from "../../parts/pill.tsx";
import type { Tone } from "../../parts/tone.ts";
import { DnsValues, NamesQuoted } from "./dns-records.tsx";

type Policies = DomainDns["policies"];

const NAMES: readonly (readonly [keyof Policies, string])[] = [
  ["spf", "SPF"],
  ["dmarc", "DMARC"],
  ["mta_sts", "MTA-STS"],
  ["bimi", "BIMI"],
];

const STATES: Readonly<Record<Policies["spf"]["status"], readonly [Tone, string]>> = {
  ok: ["ok", "OK"],
  warn: ["wait", "could be improved"],
  missing: ["mute", "not set"],
  wrong: ["bad", "invalid"],
  unknown: ["wait", "no answer"],
};

/** Policies that are optional for a domain. */
const OPTIONAL: ReadonlySet<string> = new Set(["mta_sts", "bimi"]);

/** Shows each policy with the service's sentences and the values in DNS. */
export function PolicyList({ policies }: { readonly policies: Policies }) {
  return (
    <ul className="plain judged" aria-label="Policies">
      {NAMES.map(([key, name]) => {
        const { host, found, message } = policies[key];
        const [tone, word] = stateOfPolicy(key, policies);
        return (
          <li key={key}>
            <span>
              <Pill tone={tone}>{name}</Pill> <small>{word}</small>
            </span>
            <div>
              <p>
                <NamesQuoted text={message} />
              </p>
              <DnsValues type="TXT" host={host} found={found} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function stateOfPolicy(key: keyof Policies, policies: Policies): readonly [Tone, string] {
  const { status } = policies[key];
  return status === "missing" && !OPTIONAL.has(key) ? ["bad", "missing"] : STATES[status];
}

/** Shows what receivers should do with mail that fails DMARC, such as `p=reject`. */
export function DmarcPolicy({ policies }: { readonly policies: Policies }) {
  const [tone, word] = stateOfPolicy("dmarc", policies);
  const policy = /\bp\s*=\s*(\w+)/i.exec(policies.dmarc.found.join(" "))?.[0];
  return <Pill tone={tone}>{policy?.replaceAll(" ", "") ?? word}</Pill>;
}
