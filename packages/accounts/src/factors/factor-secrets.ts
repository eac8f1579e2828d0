import { type Credential, isObject } from '@watchword/protocol';

/** Seals secrets for the database, with a key that is not in it. */
export interface FactorSecrets {
  /** @param purpose with which alone it can be opened @throws KeyManagementError where there is no such key */
  seal(purpose: string, secret: string): Promise<string>;
  /** `undefined` if it was sealed for another purpose, or with a key that is gone. */
  open(purpose: string, sealed: string): Promise<string | undefined>;
}

/** The data of a credential for one-time codes. It opens in its own row only. */
export async function totpData(
  of: Pick<Credential, 'id' | 'subject'>,
  secret: string,
  secrets: Pick<FactorSecrets, 'seal'>,
): Promise<string> {
  return JSON.stringify({ secret: await secrets.seal(purposeOf(of), secret) });
}

export async function totpSecretOf(
  credential: Credential,
  secrets: FactorSecrets,
): Promise<string | undefined> {
  const data: unknown = JSON.parse(credential.data);
  const sealed = isObject(data) ? data.secret : undefined;
  return typeof sealed === 'string' ? secrets.open(purposeOf(credential), sealed) : undefined;
}

function purposeOf({ id, subject }: Pick<Credential, 'id' | 'subject'>): string {
  return `totp ${subject} ${id}`;
}
