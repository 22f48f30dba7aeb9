// Makes the people of `npm start -- --people` members of the local team. As in a real team, the
// operator invites the owner, and the owner invites the others. The program can run again.
import { StartProblem } from "../dev-settings.ts";
import type { AccessDouble } from "./access-double.ts";
import { type KnownPerson, PEOPLE } from "./known-people.ts";

const SECONDS = 30;

interface PeopledStack {
  readonly apiUrl: string;
  readonly adminToken: string;
  readonly teamId: string;
  readonly access: AccessDouble;
}

export async function seedPeople(stack: PeopledStack): Promise<void> {
  const [owner, ...others] = PEOPLE;
  if (!owner) return;
  const session =
    (await signIn(stack, owner)) ?? (await signIn(stack, owner, await inviteOwner(stack, owner)));
  for (const person of others)
    if ((await signIn(stack, person)) === null)
      await signIn(stack, person, await invite(stack, person, session ?? ""));
}

async function inviteOwner(stack: PeopledStack, { email }: KnownPerson): Promise<string> {
  const path = `/admin/teams/${stack.teamId}/invitations`;
  const headers = { authorization: `Bearer ${stack.adminToken}` };
  const answer = await expectOk(await post(stack.apiUrl + path, headers, { email }));
  return codeIn(answer);
}

async function invite(
  { access }: PeopledStack,
  person: KnownPerson,
  session: string,
): Promise<string> {
  const headers = { ...pageOf(access), cookie: `${await access.signIn(person)}; ${session}` };
  const body = { email: person.email, ...person.rights };
  return codeIn(await expectOk(await post(`${access.consoleUrl}/console/members`, headers, body)));
}

/** Returns the session's cookie. Null: the person is not a member, and has no invitation. */
async function signIn(
  { access }: PeopledStack,
  person: KnownPerson,
  invitation?: string,
): Promise<string | null> {
  const headers = { ...pageOf(access), cookie: await access.signIn(person) };
  const body = { access: true, ...(invitation !== undefined && { invitation }) };
  const response = await post(`${access.consoleUrl}/console/session`, headers, body);
  if (response.status === 403 && invitation === undefined) return null;
  await expectOk(response);
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

function pageOf({ consoleUrl }: AccessDouble): Record<string, string> {
  return { origin: consoleUrl, "x-postern-console": "1" };
}

function post(url: string, headers: Record<string, string>, body: object): Promise<Response> {
  return fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(SECONDS * 1_000),
  });
}

async function expectOk(response: Response): Promise<{ readonly url?: string }> {
  const text = await response.text();
  if (response.ok) return JSON.parse(text) as { readonly url?: string };
  throw new StartProblem(`the people could not be made: ${response.status} ${text}`);
}

function codeIn({ url = "" }: { readonly url?: string }): string {
  return new URL(url).searchParams.get("code") ?? "";
}
