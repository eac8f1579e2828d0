import { type Profiles, profileName, profilesOf } from '../administration/profiles.ts';
import { boundedFetch } from '../administration/remote/bounded-fetch.ts';
import { namedProfile, noProfile } from '../administration/server-of.ts';
import { errorInWords, exitCodes, isAdminError } from '../command/error-words.ts';
import type { Options } from '../command/options.ts';
import { createOutput } from '../command/output.ts';
import { UsageError } from '../command/usage-error.ts';
import { endLogin } from './log-in.ts';

/** Ends the logins that the options name. */
export async function logOut(options: Options): Promise<void> {
  const { io } = options;
  const profiles = profilesOf(io);
  const ended: string[] = [];
  for (const name of await chosenNames(options, profiles)) {
    if (await endProfile(name, options, profiles)) ended.push(name);
  }
  const words = ended.length === 0 ? 'No login was ended.' : `Logged out: ${ended.join(', ')}.`;
  createOutput(options.json === true, io).done(words, { ended });
}

/** @throws UsageError */
async function chosenNames(options: Options, profiles: Profiles): Promise<readonly string[]> {
  const { all, loginProfile } = options;
  if (all === true) {
    if (loginProfile === undefined) return profiles.list();
    throw new UsageError('--all: expected no --profile beside it; leave out one of them');
  }
  const chosen = namedProfile(options);
  const name = chosen === undefined ? await profiles.defaultName() : profileName(chosen);
  if (name !== undefined && (await profiles.list()).includes(name)) return [name];
  if (chosen !== undefined) throw noProfile(chosen);
  throw new UsageError(
    'logout: there is no default profile. "watchword profile list" lists the logins; name one with --profile.',
  );
}

/** @returns whether the server has revoked the tokens; the file is removed in any case */
async function endProfile(name: string, { io }: Options, profiles: Profiles): Promise<boolean> {
  return profiles.locked(name, async () => {
    let baseUrl = 'the server';
    try {
      const profile = await profiles.read(name);
      if (profile === undefined) return false;
      baseUrl = profile.baseUrl;
      await endLogin(profile, boundedFetch());
      return true;
    } catch (error) {
      if (!(error instanceof UsageError) && !isAdminError(error)) throw error;
      io.stderr.write(
        `watchword: ${errorInWords(error)}\nThe profile ${name} is removed from this machine. End its login on the page "Your account" of ${baseUrl} too, where it stays valid until then.\n`,
      );
      io.exitCode = exitCodes.failed;
      return false;
    } finally {
      await profiles.remove(name);
    }
  });
}
