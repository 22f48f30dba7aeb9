// Signing in as the operator: the admin token is exchanged for a session and then forgotten.
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { queryClient } from "../../api/query-client.ts";
import { signIn } from "../../api/console-session.ts";
import { ErrorNote } from "../../parts/error-note.tsx";

export function OperatorSignIn() {
  const navigate = useNavigate();
  const [token, setToken] = useState("");
  const { mutate, error, isPending } = useMutation({
    mutationFn: (secret: string) => signIn({ admin_token: secret }),
    onSuccess: async () => {
      queryClient.clear();
      await navigate({ to: "/operator", replace: true });
    },
  });
  useEffect(() => {
    document.title = "Sign in · Postern operator";
  }, []);
  return (
    <main className="alone">
      <form
        className="panel padded"
        onSubmit={(event) => {
          event.preventDefault();
          mutate(token.trim());
          setToken("");
        }}
      >
        <h1>Sign in as the operator</h1>
        <p>
          With the deployment’s <code>ADMIN_TOKEN</code>. The browser keeps a session of 12 hours,
          and not the token. Another token ends the session.
        </p>
        <label className="field">
          Admin token
          <input
            type="password"
            value={token}
            onChange={(event) => setToken(event.target.value)}
            autoComplete="off"
            spellCheck={false}
            required
          />
        </label>
        {error && <ErrorNote error={error} />}
        <button type="submit" className="btn main" disabled={isPending}>
          Sign in
        </button>
        <p>
          <Link to="/sign-in">Sign in with a team’s key</Link>
        </p>
      </form>
    </main>
  );
}
