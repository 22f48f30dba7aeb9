// The form by which a key or the admin token is exchanged for a session, and then forgotten.
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { type SessionHolder, signIn } from "../api/console-session.ts";
import { ErrorNote } from "../parts/error-note.tsx";
import { focusField } from "../parts/form-buttons.tsx";

interface Words {
  readonly title: string;
  readonly field: string;
  readonly hint?: string;
  readonly about: ReactNode;
}

const WORDS: Readonly<Record<SessionHolder, Words>> = {
  team: {
    title: "Sign in to Postern",
    field: "API key",
    hint: "ps_…",
    about:
      "Use one of your team’s API keys. The key is not stored in this browser; the session lasts 12 hours.",
  },
  operator: {
    title: "Sign in as operator",
    field: "Admin token",
    about: (
      <>
        Use the deployment’s <code>ADMIN_TOKEN</code>. The token is not stored in this browser; the
        session lasts 12 hours, or until the token changes.
      </>
    ),
  },
};

interface SignInFormProps {
  readonly kind: SessionHolder;
  /** The session of the page behind has ended. */
  readonly hasEnded?: boolean;
  /** A link's secret, to sign in with at once. */
  readonly link?: string;
  /** Called after the session is known, where the page does not follow it by itself. */
  readonly onDone?: () => void;
  readonly children?: ReactNode;
}

export function SignInForm({ kind, hasEnded = false, link, onDone, children }: SignInFormProps) {
  const { title, field, hint, about } = WORDS[kind];
  const [secret, setSecret] = useState("");
  const { mutate, error, isPending } = useMutation({
    mutationFn: (credential: Parameters<typeof signIn>[1]) => signIn(kind, credential),
    ...(onDone && { onSuccess: onDone }),
  });
  useEffect(() => {
    if (link !== undefined) mutate({ link });
  }, [link, mutate]);
  return (
    <form
      className="panel padded"
      onSubmit={(event) => {
        event.preventDefault();
        const given = secret.trim();
        mutate(kind === "team" ? { key: given } : { admin_token: given });
        setSecret("");
      }}
    >
      <h1>{title}</h1>
      {hasEnded && <p className="ended">Your session has ended. Sign in to continue.</p>}
      <p>{about}</p>
      <label className="field">
        {field}
        <input
          type="password"
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
          placeholder={hint}
          autoComplete="off"
          spellCheck={false}
          required
          ref={focusField}
        />
      </label>
      {error && <ErrorNote error={error} />}
      <button type="submit" className="btn main" disabled={isPending}>
        Sign in
      </button>
      {children}
    </form>
  );
}
