import { isObject } from '@watchword/protocol';
import type { OidcDependencies } from '../dependencies.ts';
import { UpstreamError } from '../upstream-error.ts';
import type { PendingLogin } from './begin.ts';
import type { IdentifiedUser } from './openid-user.ts';
import type { TokenResponse } from './redeem-code.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * GitHub has no ID tokens: its API says whose the access token is, which comes over TLS for the code of this browser. The number of an
 * account stays when its name is given to somebody else.
 *
 * @throws UpstreamError `unreachable`, `userinfo`, `subject`
 */
export async function githubUser(
  { accessToken }: TokenResponse,
  _: PendingLogin,
  { options, provider }: OidcDependencies,
): Promise<IdentifiedUser> {
  const { issuer, userinfoEndpoint = '' } = await provider.metadata();
  const read = async (path: string): Promise<unknown> => {
    const { status, text } = await provider.ask(`${userinfoEndpoint}${path}`, {
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${accessToken}`,
        'user-agent': 'watchword',
      },
    });
    if (status !== 200)
      throw new UpstreamError('userinfo', `expected status 200 from the API, got ${status}`);
    return JSON.parse(text);
  };
  const user = await object(read(''));
  const { id, login, name, avatar_url: picture, html_url: profile } = user;
  if (!Number.isSafeInteger(id) || Number(id) <= 0) {
    throw new UpstreamError('subject', 'expected the number of the account in id of the user');
  }
  const sub = String(id);
  const { scopes } = options;
  const primary = scopes.includes('user:email')
    ? (await list(read('/emails?per_page=100'))).find((each) => each.primary === true)
    : undefined;
  const groups = scopes.includes('read:org') ? await groupsOf(read) : [];
  const claims = {
    ...{ sub, preferred_username: login, name: name ?? undefined, picture, profile, groups },
    ...(primary !== undefined && { email: primary.email, email_verified: primary.verified === true }),
  };
  const unknown = { authTime: undefined, acr: undefined, amr: undefined, sid: undefined };
  return { issuer, login: { sub, ...unknown }, claims };
}

/** Organisations by their names, teams as `organisation/team`: the first hundred of each. */
async function groupsOf(read: (path: string) => Promise<unknown>): Promise<string[]> {
  const organisations = await list(read('/orgs?per_page=100'));
  const teams = await list(read('/teams?per_page=100'));
  return [
    ...organisations.map(({ login }) => String(login)),
    ...teams.map(({ slug, organization }) =>
      isObject(organization) ? `${String(organization.login)}/${String(slug)}` : String(slug),
    ),
  ];
}

async function object(answer: Promise<unknown>): Promise<Members> {
  const value = await parsed(answer);
  if (isObject(value)) return value;
  throw new UpstreamError('userinfo', 'expected a JSON object from the API');
}

async function list(answer: Promise<unknown>): Promise<readonly Members[]> {
  const value = await parsed(answer);
  if (Array.isArray(value)) return value.filter(isObject);
  throw new UpstreamError('userinfo', 'expected a JSON list from the API');
}

async function parsed(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    // The message of the parser quotes the answer.
    if (!(error instanceof SyntaxError)) throw error;
    throw new UpstreamError('userinfo', 'expected JSON from the API');
  }
}
