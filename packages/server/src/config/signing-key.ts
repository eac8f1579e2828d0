import { isSigningKey, signingKeyForm } from './checks.ts';
import { secretOf } from './secret-file.ts';
import type { Configuration } from './settings.ts';

type SigningKeySettings = Pick<Configuration, 'signing.key' | 'signing.keyFile'>;

/** The key that seals signing keys, from its setting or its file. @throws ConfigurationError */
export function signingKeyText(configuration: SigningKeySettings): Promise<string | undefined> {
  return secretOf({
    path: 'signing.key',
    filePath: 'signing.keyFile',
    text: configuration['signing.key'],
    file: configuration['signing.keyFile'],
    form: signingKeyForm,
    isValid: isSigningKey,
  });
}
