// The actions that a person can take after an outcome. Each action links to the page on which the
// person can do it. If the action has a path of the API, the link opens a page of the console.
// Otherwise it opens the provider's page.
import { Link } from "@tanstack/react-router";
import type { Explanation, Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { typeset } from "../../parts/typography.ts";

type Action = Explanation["actions"][number];

interface ActionListProps {
  readonly actions: readonly Action[];
  /** The suppressions that the actions may lift. */
  readonly suppressions: readonly Suppression[];
}

export function ActionList({ actions, suppressions }: ActionListProps) {
  if (actions.length === 0) return null;
  return (
    <ul className="actions">
      {actions.map((action) => (
        <li key={action.text}>
          <ActionLink action={action} suppressions={suppressions} />
        </li>
      ))}
    </ul>
  );
}

const MESSAGE = /^\/v1\/email\/(email_[^/]+)/;
const ADDRESS = /^\/v1\/recipients\/([^/]+)$/;
const SUPPRESSION = /^\/v1\/suppressions\/([^/]+)\/([^/]+)$/;

interface ActionLinkProps {
  readonly action: Action;
  readonly suppressions: readonly Suppression[];
}

function ActionLink({ action: { text, href }, suppressions }: ActionLinkProps) {
  if (href === undefined) return typeset(text);
  if (!href.startsWith("/"))
    return (
      <a href={href} target="_blank" rel="noreferrer">
        {typeset(text.replace(`: ${href}`, ""))}
      </a>
    );
  const words = typeset(text);
  const [, emailId] = MESSAGE.exec(href) ?? [];
  if (emailId !== undefined)
    return (
      <Link to="/messages/$emailId" params={{ emailId }}>
        {words}
      </Link>
    );
  const [, address] = ADDRESS.exec(href) ?? [];
  if (address !== undefined)
    return (
      <Link to="/why" hash={address}>
        {words}
      </Link>
    );
  const [, email = "", topic = ""] = SUPPRESSION.exec(href) ?? [];
  if (email !== "") {
    const own = suppressions.find((one) => encodeURIComponent(one.topic) === topic);
    return (
      <Link to="/suppressions" search={own ? { open: own.id } : {}} hash={email}>
        {words}
      </Link>
    );
  }
  return <Link to={href === "/v1/usage" ? "/usage" : "/domains"}>{words}</Link>;
}
