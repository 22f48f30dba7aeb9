// Texts of public/api/openapi.json that stand for what a deployment decides. Pure.

/** `headerPrefix` is the operator's HEADER_PREFIX, with which own headers begin. */
interface DeploymentNames {
  readonly origin: string;
  readonly headerPrefix: string;
}

export const PLACEHOLDERS: DeploymentNames = {
  origin: "%ORIGIN%",
  headerPrefix: "%HEADER_PREFIX%",
};

/** Puts a deployment's names in the place of all placeholders of a JSON text. */
export function fillIn(json: string, { origin, headerPrefix }: DeploymentNames): string {
  return json
    .replaceAll(PLACEHOLDERS.origin, () => insideQuotes(origin))
    .replaceAll(PLACEHOLDERS.headerPrefix, () => insideQuotes(headerPrefix));
}

/** The host of a request's URL can have quotes. */
function insideQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
