// Plays Cloudflare Access for the tests of people: signs assertions, and serves the keys that
// verify them. Calls a deployment whose console is behind Access.
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { expect, vi } from "vitest";
import { callDeployment, operator, ok, type TestTeam } from "../../support/api.ts";

export const HOST = "https://console.postern.test";
const ISSUER = "https://acme.cloudflareaccess.com";
const AUDIENCE = "aud-of-the-console";

/** The settings of a deployment whose console is behind Access. */
export const ACCESS = {
  ACCESS_ISSUER: ISSUER,
  ACCESS_AUDIENCE: AUDIENCE,
  CONSOLE_URL: HOST,
};

const pair = await generateKeyPair("RS256", { extractable: true });
const stranger = await generateKeyPair("RS256");
const jwk = { ...(await exportJWK(pair.publicKey)), kid: "one", alg: "RS256" };
const secretOfConfusion = new TextEncoder().encode(await exportSPKI(pair.publicKey));

/** Lets Access serve the keys that verify its assertions. `isAway`: Access is down. */
export function answerForKeys(isAway = false): void {
  const real = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.startsWith(ISSUER)) return real(input, init);
    if (isAway) return Promise.reject(new TypeError("connection refused"));
    return Promise.resolve(Response.json({ keys: [jwk] }));
  });
}

export interface AssertedPerson {
  readonly subject: string;
  readonly email: string;
}

export function newPerson(email = `${crypto.randomUUID()}@example.net`): AssertedPerson {
  return { subject: crypto.randomUUID(), email };
}

/** Unix seconds. */
const now = () => Math.floor(Date.now() / 1_000);

export function assertionOf({ subject, email }: AssertedPerson, claims: JWTPayload = {}) {
  const payload = {
    email,
    type: "app",
    identity_nonce: crypto.randomUUID(),
    sub: subject,
    iss: ISSUER,
    aud: [AUDIENCE],
    iat: now(),
    nbf: now(),
    exp: now() + 3_600,
    ...claims,
  };
  const sign = (key: CryptoKey | Uint8Array, alg = "RS256") =>
    new SignJWT(payload).setProtectedHeader({ alg, kid: "one" }).sign(key);
  return {
    genuine: () => sign(pair.privateKey),
    forged: () => sign(stranger.privateKey),
    confused: () => sign(secretOfConfusion, "HS256"),
    unsigned: () =>
      [{ alg: "none", kid: "one" }, payload].map((part) => encode(part)).join(".") + ".",
  };
}

function encode(part: object): string {
  return btoa(JSON.stringify(part)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Calls the deployment as a page of the console. */
export function page(
  method: string,
  path: string,
  { body, headers = {}, host = HOST, settings = {} }: PageCall = {},
): Promise<Response> {
  return callDeployment({ ...ACCESS, ...settings }, host + path, {
    method,
    headers: {
      Origin: host,
      "X-Postern-Console": "1",
      "CF-Connecting-IP": "198.51.100.7",
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

interface PageCall {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly host?: string;
  readonly settings?: object;
}

/** Signs in with an assertion. */
export function signIn(assertion: string, wish: object = {}, call: PageCall = {}) {
  return page("POST", "/console/session", {
    ...call,
    body: { access: true, ...wish },
    headers: { "Cf-Access-Jwt-Assertion": assertion },
  });
}

/** Returns the headers of the session that a response began. */
export function sessionOf(response: Response): Record<string, string> {
  expect(response.status).toBe(200);
  return { Cookie: (response.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "" };
}

export function codeOf({ url }: { readonly url: string }): string {
  return new URL(url).searchParams.get("code") ?? "";
}

/** Makes the team's first owner, and returns the headers of the owner's session. */
export async function makeOwner(team: TestTeam, person = newPerson()) {
  const made = callDeployment(ACCESS, `${HOST}/admin/teams/${team.id}/invitations`, {
    method: "POST",
    headers: { Authorization: `Bearer ${operator.key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ email: person.email }),
  });
  const code = codeOf(await ok<{ url: string }>(made, 201));
  return sessionOf(await signIn(await assertionOf(person).genuine(), { invitation: code }));
}

/** Makes a member, and returns the headers of the member's session. */
export async function makeMember(
  owner: Record<string, string>,
  rights: object,
  person = newPerson(),
) {
  const body = { email: person.email, ...rights };
  const invited = page("POST", "/console/members", { body, headers: owner });
  const code = codeOf(await ok<{ url: string }>(invited, 201));
  return sessionOf(await signIn(await assertionOf(person).genuine(), { invitation: code }));
}
