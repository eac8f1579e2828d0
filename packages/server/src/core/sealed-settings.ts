import { type AuthenticatorSettings, isSecretSetting, type StoredAuthenticator } from '@watchword/protocol';
import type { Custody } from '../signing/custody.ts';

/** What keeps the secrets among the settings of authenticators. It is opened only where there is one. */
export type OpenCustody = () => Promise<Pick<Custody, 'sealSecret' | 'openSecret'>>;

type Candidate = Pick<StoredAuthenticator, 'name' | 'kind' | 'settings'>;

// A typed value with this beginning can be opened only if it was sealed for the same setting of the same authenticator.
const mark = 'sealed ';

/** A secret that was sealed with a key that is not there any more. The message is for the operator. */
export class LostSecretError extends Error {
  override readonly name = 'LostSecretError';
  readonly setting: string;

  constructor(setting: string) {
    super('it was sealed with another key than that of signing.keyFile; type it again');
    this.setting = setting;
  }
}

/** The settings with their secrets. @throws LostSecretError */
export function openedSettings(candidate: Candidate, custody: OpenCustody): Promise<AuthenticatorSettings> {
  return withSecrets(candidate, async (setting, value) => {
    if (!value.startsWith(mark)) return value;
    const { openSecret } = await custody();
    const opened = await openSecret(purposeOf(candidate, setting), value.slice(mark.length));
    if (opened === undefined) throw new LostSecretError(setting);
    return opened;
  });
}

/** The settings for the database. @throws KeyManagementError */
export function sealedSettings(candidate: Candidate, custody: OpenCustody): Promise<AuthenticatorSettings> {
  return withSecrets(candidate, async (setting, value) => {
    if (value.startsWith(mark)) return value;
    const { sealSecret } = await custody();
    return `${mark}${await sealSecret(purposeOf(candidate, setting), value)}`;
  });
}

async function withSecrets(
  { kind, settings }: Candidate,
  change: (setting: string, value: string) => Promise<string>,
): Promise<AuthenticatorSettings> {
  const changed: Record<string, AuthenticatorSettings[string]> = { ...settings };
  for (const [setting, value] of Object.entries(settings)) {
    if (typeof value === 'string' && value !== '' && isSecretSetting(kind, setting))
      changed[setting] = await change(setting, value);
  }
  return changed;
}

function purposeOf({ name }: Pick<Candidate, 'name'>, setting: string): string {
  return `authenticator ${name} ${setting}`;
}
