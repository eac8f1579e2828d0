import { AdminError } from '@watchword/admin-client';
import { commandLineClientId, shellCommand } from '@watchword/protocol';
import { systemClock } from '@watchword/server/system';
import type { Profile, Profiles } from '../profiles.ts';
import { type RemoteAccess, requestTokens, type Tokens } from './token-requests.ts';

/** The tokens of a profile. A new one is requested when the stored one expires, or when the server refuses it. */
export function profileAccess(name: string, profiles: Profiles, send: typeof fetch): RemoteAccess {
  const current = async (refused?: string): Promise<string> => {
    const stored = await profiles.read(name);
    if (stored !== undefined && isUsable(stored, refused)) return stored.accessToken;
    // A refresh token is valid once. Of several commands at once, one uses it, and the others read what it stored.
    return profiles.locked(name, async () => {
      const profile = await profiles.read(name);
      if (profile === undefined) throw ended(name, 'there is no such profile any more');
      if (isUsable(profile, refused)) return profile.accessToken;
      const renewed = await renewedProfile(name, profile, send);
      await profiles.write(name, renewed);
      return renewed.accessToken;
    });
  };
  return { token: () => current(), renew: current, end: async () => {} };
}

// Milliseconds that an access token is valid at least when a request begins.
const margin = 30_000;

function isUsable({ accessToken, expires }: Profile, refused: string | undefined): boolean {
  return accessToken !== refused && expires > systemClock.now() + margin;
}

async function renewedProfile(name: string, profile: Profile, send: typeof fetch): Promise<Profile> {
  const { baseUrl, refreshToken } = profile;
  const form = { grant_type: 'refresh_token', client_id: commandLineClientId, refresh_token: refreshToken };
  try {
    return { ...profile, ...storedTokens(await requestTokens({ baseUrl, send }, form), refreshToken) };
  } catch (error) {
    if (!(error instanceof AdminError) || error.code !== 'invalid_grant') throw error;
    throw ended(
      name,
      'it was not used for long, was ended on the page "Your account" or by an administrator, or the account has changed',
    );
  }
}

/** Tokens as a profile stores them. @param before the refresh token that stays valid when the server sent none */
export function storedTokens(
  { accessToken, refreshToken, expiresIn }: Tokens,
  before: string,
): Pick<Profile, 'accessToken' | 'expires' | 'refreshToken'> {
  const expires = systemClock.now() + expiresIn * 1000;
  return { accessToken, expires, refreshToken: refreshToken ?? before };
}

function ended(name: string, reason: string): AdminError {
  const command = shellCommand('watchword login --profile {name}', { name });
  return new AdminError(`The login of the profile ${name} has ended: ${reason}. Log in again: ${command}`, {
    status: 401,
    code: 'login_ended',
  });
}
