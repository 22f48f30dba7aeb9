// Reads the host that a link's text shows, compares hosts, and shortens URLs for messages. Pure.

const URL_TEXT =
  /^(https?:\/\/)?([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+)(?::\d+)?(?:[/?#]\S*)?$/i;
/** Ends of names that count as hosts even without a scheme. `Node.js` has no such end. */
const HOST_ENDS = /\.(?:com|org|net|edu|gov|info|biz|io|dev|app|eu|de|fr|uk|nl|it|es|ch|at)$/i;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;
/** Matches ends of names such as `co.uk`, below which organizations register their names. */
const SECOND_LEVEL = /^(?:co|com|org|net|ac|gov|edu)\.[a-z]{2}$/;
const LONGEST = 300;
const SHOWN_CHARACTERS = 80;

/** Returns the host of a text that is only a URL, in lower case. */
export function hostShownIn(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const [, scheme, host = ""] = URL_TEXT.exec(text) ?? [];
  const isHost = scheme !== undefined || host.startsWith("www.") || HOST_ENDS.test(host);
  return host !== "" && isHost ? host.toLowerCase() : undefined;
}

/** Tells whether a host is an IP address, in the form of URL.hostname. */
export function isAddress(host: string): boolean {
  return IPV4.test(host) || host.startsWith("[");
}

/** Tells whether both hosts seem to belong to the same registered name. */
export function areRelatedHosts(one: string, other: string): boolean {
  return organizationOf(one) === organizationOf(other);
}

function organizationOf(host: string): string {
  const labels = host.toLowerCase().split(".");
  const two = labels.slice(-2).join(".");
  return SECOND_LEVEL.test(two) ? labels.slice(-3).join(".") : two;
}

/** Cuts a URL that is too long for a message. */
export function shortUrl(url: string): string {
  return url.length > SHOWN_CHARACTERS ? `${url.slice(0, SHOWN_CHARACTERS)}…` : url;
}
