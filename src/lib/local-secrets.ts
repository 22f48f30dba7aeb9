// Which secrets a developer's machine made for itself (dev/dev-secrets.ts), and where they are good
// for anything: at a service domain below .test, which never exists in the real DNS (RFC 6761).
// Everywhere else the worker refuses to run with one.

/** A token begins with `local-only-`; a key in base64, which knows no dash, with `local/only/`. */
const LOCAL_ONLY = /^local[-/]only[-/]/;

/** Whether `value` was made for one machine alone. */
export function isLocalSecret(value: string | undefined): boolean {
  return value !== undefined && LOCAL_ONLY.test(value);
}

/** Whether local secrets may open a service at `serviceDomain`. */
export function mayUseLocalSecrets(serviceDomain: string | undefined): boolean {
  return serviceDomain !== undefined && /[^.]\.test$/i.test(serviceDomain);
}
