import { shellCommand } from '@watchword/protocol';
import { environmentName } from '@watchword/server/config/settings';
import type { Options } from '../command/options.ts';
import { UsageError } from '../command/usage-error.ts';
import { type Profile, profileName, profilesOf } from './profiles.ts';

/** The server that a command administers. */
export interface NamedServer {
  /** As it was given. */
  readonly url: string;
  /** The login to use; `undefined` if the command names the server itself. */
  readonly profile: (Profile & { readonly name: string }) | undefined;
}

/** The name of the profile that a command is to use, of the option or of the environment. */
export function namedProfile({ loginProfile, io }: Options): string | undefined {
  return loginProfile === undefined ? io.env.WATCHWORD_LOGIN_PROFILE || undefined : String(loginProfile);
}

/**
 * The server that the options name, by its base URL or by a profile; or that of the default profile if they name no database
 * either. `undefined` for a command on a database.
 *
 * @throws UsageError
 */
export async function serverOf(options: Options): Promise<NamedServer | undefined> {
  const { url, io } = options;
  const chosen = url === undefined || options.loginProfile !== undefined ? namedProfile(options) : undefined;
  const hasDatabaseOption = (options.database ?? options.databaseUrlFile) !== undefined;
  if (url !== undefined && chosen !== undefined) {
    throw new UsageError('--url and --profile: expected only one of them, because both name a server');
  }
  if (url !== undefined || options.loginProfile !== undefined) {
    if (hasDatabaseOption) {
      const flag = url === undefined ? '--profile' : '--url';
      throw new UsageError(
        `${flag} and --database: expected only one of them, because they name different places`,
      );
    }
  } else if (hasDatabaseOption) return undefined;
  if (url !== undefined) return { url: String(url), profile: undefined };
  const profiles = profilesOf(io);
  if (chosen !== undefined) {
    const name = profileName(chosen);
    const profile = await profiles.read(name);
    if (profile === undefined) throw noProfile(name);
    return { url: profile.baseUrl, profile: { ...profile, name } };
  }
  if (options.config !== undefined || databaseVariables.some((variable) => io.env[variable]))
    return undefined;
  const name = await profiles.defaultName();
  const profile = name === undefined ? undefined : await profiles.read(name);
  return name === undefined || profile === undefined
    ? undefined
    : { url: profile.baseUrl, profile: { ...profile, name } };
}

const databaseVariables = [
  environmentName('database'),
  environmentName('databaseUrlFile'),
  'WATCHWORD_CONFIG',
];

export function noProfile(name: string): UsageError {
  const advice = shellCommand('watchword login <baseUrl> --profile {name}', { name });
  return new UsageError(
    `--profile: there is no profile ${name}. "watchword profile list" lists them, and this makes one: ${advice}`,
  );
}
