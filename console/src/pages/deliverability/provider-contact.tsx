// A link to the contact form of a provider that refuses mail. The service supplies the link's text.
import type { DeliverabilityFinding } from "../../../../packages/postern/src/generated/types.ts";

interface ProviderContactProps {
  readonly findings: readonly DeliverabilityFinding[];
}

export function ProviderContact({ findings }: ProviderContactProps) {
  const action = findings.find(hasContact)?.action;
  return action === undefined ? null : (
    <a className="btn main small" href={action.href} target="_blank" rel="noreferrer">
      {action.text.replace(`: ${action.href}`, "")}
    </a>
  );
}

export function hasContact({ action: { kind, href } }: DeliverabilityFinding): boolean {
  return kind === "contact_provider" && href !== undefined;
}
