// Placeholders in public/api/openapi.json for values that differ between deployments. Pure.

/** `headerPrefix` is the operator's HEADER_PREFIX, the first part of the service's header names. */
interface DeploymentNames {
  readonly origin: string;
  readonly headerPrefix: string;
}

export const PLACEHOLDERS: DeploymentNames = {
  origin: "%ORIGIN%",
  headerPrefix: "%HEADER_PREFIX%",
};

/** Replaces all placeholders of a JSON text by a deployment's values. */
export function fillIn(json: string, { origin, headerPrefix }: DeploymentNames): string {
  return json
    .replaceAll(PLACEHOLDERS.origin, () => insideQuotes(origin))
    .replaceAll(PLACEHOLDERS.headerPrefix, () => insideQuotes(headerPrefix));
}

/** Escapes the value, because the host of a request's URL can contain quotes. */
function insideQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
