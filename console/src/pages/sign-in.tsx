// Signing in: a key, or a one-time link, is exchanged for a session and then forgotten.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { signIn } from "../api/console-session.ts";
import { ErrorNote } from "../parts/error-note.tsx";

export function SignIn() {
  const navigate = useNavigate();
  const [key, setKey] = useState("");
  const { mutate, error, isPending } = useMutation({
    mutationFn: signIn,
    onSuccess: () => navigate({ to: "/", replace: true }),
  });
  useEffect(() => {
    const link = window.location.hash.slice(1);
    if (link === "") return;
    // A link works once, so that it is of no use in the history.
    window.history.replaceState(null, "", window.location.pathname);
    mutate({ link });
  }, [mutate]);
  return (
    <main className="alone">
      <form
        className="panel padded"
        onSubmit={(event) => {
          event.preventDefault();
          mutate({ key: key.trim() });
          setKey("");
        }}
      >
        <h1>Sign in to Postern</h1>
        <p>
          With an API key of your team. The browser keeps a session of 12 hours, and not the key.
        </p>
        <label className="field">
          API key
          <input
            type="password"
            value={key}
            onChange={(event) => setKey(event.target.value)}
            placeholder="ps_…"
            autoComplete="off"
            spellCheck={false}
            required
          />
        </label>
        {error && <ErrorNote error={error} />}
        <button type="submit" className="btn main" disabled={isPending}>
          Sign in
        </button>
      </form>
    </main>
  );
}
