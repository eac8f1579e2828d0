import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { OptionReader } from '@watchword/protocol';
import { readSecret } from './secret-file.ts';

/** Signs a JWT that is the client secret (Apple: "Creating a client secret"). */
export interface SignedSecret {
  readonly teamId: string;
  readonly keyId: string;
  readonly key: KeyObject;
}

/** The options `teamId`, `keyId`, and `privateKeyFile` or `privateKey`. */
export function readSignedSecret(options: OptionReader): SignedSecret | undefined {
  const ofKey = options.has('privateKey') ? 'privateKey' : 'privateKeyFile';
  for (const name of ['teamId', 'keyId', ofKey]) {
    if (!options.has(name)) options.problem(name, 'is missing');
  }
  const [teamId, keyId] = [options.text('teamId'), options.text('keyId')];
  const pem = readSecret(options, 'privateKey');
  if (teamId === undefined || keyId === undefined || pem === undefined) return undefined;
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return { teamId, keyId, key };
  } catch {
    // The message would have parts of the key.
  }
  return options.problem(ofKey, 'expected a private key for ES256 in PEM, as Apple has it in a .p8 file');
}
