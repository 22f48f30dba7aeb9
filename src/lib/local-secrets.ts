// Recognizes the secrets that a developer's machine makes for itself (tools/dev/dev-secrets.ts).
// Such secrets are only valid if the service domain is below .test, which the real DNS never has
// (RFC 6761). A worker at any other domain refuses to run with such a secret. Pure.

/**
 * A local token begins with `local-only-`. A local key begins with `local/only/`, because base64
 * does not allow a dash.
 */
const LOCAL_ONLY = /^local[-/]only[-/]/;

/** Tells whether `value` is a local secret. */
export function isLocalSecret(value: string | undefined): boolean {
  return value !== undefined && LOCAL_ONLY.test(value);
}

/** Tells whether a service at `serviceDomain` may run with local secrets. */
export function mayUseLocalSecrets(serviceDomain: string | undefined): boolean {
  return serviceDomain !== undefined && /[^.]\.test$/i.test(serviceDomain);
}
