// Derives the client's names from the OpenAPI document. The resource's name comes from the path.
// The method's name is the operation's id without the resource's noun. Pure.

/** The resources that are not named after their path's first segment in camel case. */
const RESOURCES: Readonly<Record<string, string>> = { email: "emails", whoami: "identity" };

/** Returns `apiKeys` for `/v1/api-keys/{id}`. */
export function resourceName(path: string): string {
  const segment = path.split("/")[2] ?? "";
  return (
    RESOURCES[segment] ?? segment.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  );
}

/** Returns `rotateSecret` for `rotateWebhookSecret` of `webhooks`. */
export function methodName(operationId: string, resource: string): string {
  const plural = resource.charAt(0).toUpperCase() + resource.slice(1);
  const noun = plural.endsWith("ies")
    ? `${plural.slice(0, -3)}y`
    : plural.endsWith("s")
      ? plural.slice(0, -1)
      : plural;
  const name = operationId.replace(new RegExp(`(?:${plural}|${noun}s?)(?=[A-Z]|$)`), "");
  if (name === operationId)
    throw new Error(`the operation id ${operationId} does not contain ${noun}`);
  return name;
}
