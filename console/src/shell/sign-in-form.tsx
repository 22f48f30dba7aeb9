// The form that exchanges a key or the admin token for a session. The form then forgets the secret.
// With Cloudflare Access in front of the console, people sign in without a secret of Postern.
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import {
  type ConsoleSessionHolder,
  leaveAccess,
  methodsQuery,
  signIn,
} from "../api/console-session.ts";
import { Button, MainButton } from "../parts/button.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Field, focusField } from "../parts/form.tsx";
import { Loading } from "../parts/loading.tsx";

interface Words {
  readonly title: string;
  readonly field: string;
  readonly hint?: string;
  readonly about: ReactNode;
}

const WORDS: Readonly<Record<ConsoleSessionHolder, Words>> = {
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
  readonly kind: ConsoleSessionHolder;
  /** True: the session of the page behind the form has ended. */
  readonly hasEnded?: boolean;
  /** The secret of a sign-in link. It is used immediately. */
  readonly link?: string;
  /** The code of an invitation. It is used when a person signs in. */
  readonly invitation?: string;
  /** Is called after the sign-in. Absent: the page reacts to the new session itself. */
  readonly onDone?: () => void;
  readonly children?: ReactNode;
}

export function SignInForm(props: SignInFormProps) {
  const methods = useQuery({ ...methodsQuery, enabled: props.kind === "team" });
  if (props.kind === "team" && methods.data === undefined && !methods.error) return <Loading />;
  return methods.data?.access === true && props.link === undefined ? (
    <PersonSignIn {...props} hasKeys={methods.data.keys} />
  ) : (
    <SecretForm {...props} />
  );
}

/** Signs in the person who is signed in to Access. A button signs out of Access instead. */
function PersonSignIn({ hasKeys, ...props }: SignInFormProps & { readonly hasKeys: boolean }) {
  const { hasEnded = false, invitation, onDone } = props;
  const [isByKey, setByKey] = useState(false);
  const { mutate, error, isPending, isIdle } = useMutation({
    mutationFn: () =>
      signIn("team", { access: true, ...(invitation !== undefined && { invitation }) }),
    ...(onDone && { onSuccess: onDone }),
  });
  useEffect(() => mutate(), [mutate]);
  if (isByKey) return <SecretForm {...props} />;
  return (
    <div className="panel padded">
      <h1>Sign in to Postern</h1>
      {hasEnded && <p className="ended">Your session has ended. Sign in to continue.</p>}
      {(isIdle || isPending) && <p role="status">Signing in …</p>}
      {error && <ErrorNotice error={error} />}
      <div className="buttons">
        <MainButton onClick={leaveAccess}>Sign in as another person</MainButton>
        {hasKeys && <Button onClick={() => setByKey(true)}>Sign in with an API key</Button>}
      </div>
    </div>
  );
}

function SecretForm({ kind, hasEnded = false, link, onDone, children }: SignInFormProps) {
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
      <Field
        label={field}
        type="password"
        value={secret}
        onChange={({ target }) => setSecret(target.value)}
        placeholder={hint}
        autoComplete="off"
        spellCheck={false}
        required
        ref={focusField}
      />
      {error && <ErrorNotice error={error} />}
      <MainButton type="submit" disabled={isPending}>
        Sign in
      </MainButton>
      {children}
    </form>
  );
}
