// The page that an invitation's link opens. The person signs in by Cloudflare Access, and then
// becomes a member.
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { forgetSession } from "../api/console-session.ts";
import { Alone } from "../shell/session-gate.tsx";
import { SignInForm } from "../shell/sign-in-form.tsx";

export function InvitationPage() {
  const navigate = useNavigate();
  const [code] = useState(() => new URLSearchParams(window.location.search).get("code") ?? "");
  useEffect(() => {
    document.title = "Invitation · Postern";
    forgetSession("team");
  }, []);
  return (
    <Alone>
      <SignInForm
        kind="team"
        invitation={code}
        onDone={() => void navigate({ to: "/", replace: true })}
      />
    </Alone>
  );
}
