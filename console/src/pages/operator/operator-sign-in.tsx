// The sign-in page of the operator.
import { Link } from "@tanstack/react-router";
import { SignInPage } from "../sign-in.tsx";

export function OperatorSignIn() {
  return (
    <SignInPage kind="operator" first="/operator">
      <p>
        <Link to="/sign-in">Sign in with an API key</Link>
      </p>
    </SignInPage>
  );
}
