// Shows the link of a new invitation. The service returns the link only once.
import { ShownOnce } from "../../parts/shown-once.tsx";

interface InvitedProps {
  readonly email: string;
  readonly url: string;
  readonly mailed: boolean;
  readonly onClose: () => void;
}

export function Invited({ email, url, mailed, onClose }: InvitedProps) {
  return (
    <ShownOnce
      label="Invite"
      title={`The invitation of ${email} is ready`}
      secret={url}
      onClose={onClose}
    >
      {mailed ? "The link is on its way by mail. " : ""}
      It works once, for seven days, for this address. It won’t be shown again.
    </ShownOnce>
  );
}
