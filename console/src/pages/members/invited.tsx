// Shows the link of a new invitation. The service returns the link only once.
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";

interface InvitedProps {
  readonly email: string;
  readonly url: string;
  readonly mailed: boolean;
  readonly onClose: () => void;
}

export function Invited({ email, url, mailed, onClose }: InvitedProps) {
  return (
    <section className="panel padded" aria-label="Invite">
      <h2>The invitation of {email} is ready</h2>
      <p>
        {mailed ? "The link is on its way by mail. " : ""}
        It works once, for seven days, for this address. It won’t be shown again.
      </p>
      <pre className="said">
        {url} <CopyButton text={url} />
      </pre>
      <div className="buttons">
        <Button onClick={onClose}>Done</Button>
      </div>
    </section>
  );
}
