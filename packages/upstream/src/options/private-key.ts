import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { OptionReader } from '@watchword/protocol';
import { readSecret } from './secret-file.ts';

/** Signs a JWT that is the client secret (Apple: "Creating a client secret"). */
export interface SignedSecret {
  readonly teamId: string;
  readonly keyId: string;
  readonly key: KeyObject;
}

/** Signs the assertions of this client (RFC 7523 §2.2). */
export interface AssertionKey {
  readonly keyId: string | undefined;
  readonly key: KeyObject;
  /** That the key can sign with; the first one unless the provider offers another one alone. */
  readonly algorithms: readonly [string, ...string[]];
  /** What the provider expects as `aud`. */
  readonly audience: (typeof audiences)[number];
}

const audiences = ['issuer', 'tokenEndpoint'] as const;

/** The options `teamId`, `keyId`, and `privateKeyFile` or `privateKey`. */
export function readSignedSecret(options: OptionReader): SignedSecret | undefined {
  for (const name of ['teamId', 'keyId', keyOption(options)]) {
    if (!options.has(name)) options.problem(name, 'is missing');
  }
  const [teamId, keyId] = [options.text('teamId'), options.text('keyId')];
  const key = readPrivateKey(options, 'ES256 in PEM, as Apple has it in a .p8 file', (found) =>
    algorithmsOf(found).includes('ES256'),
  );
  return teamId === undefined || keyId === undefined || key === undefined
    ? undefined
    : { teamId, keyId, key };
}

/** The options `privateKeyFile` or `privateKey`, `keyId` and `assertionAudience`; `undefined` where there is no key. */
export function readAssertionKey(options: OptionReader): AssertionKey | undefined {
  const keyId = options.text('keyId');
  const audience = options.choice('assertionAudience', audiences, 'issuer');
  for (const name of ['clientSecret', 'clientSecretFile', 'clientAuthentication']) {
    if (options.has(keyOption(options)) && options.has(name))
      options.problem(name, `must not be given beside ${keyOption(options)}`);
  }
  const kinds = 'a signature in PEM: EC, Ed25519, or RSA with at least 2048 bits';
  const key = readPrivateKey(options, kinds, (found) => algorithmsOf(found).length > 0);
  const [algorithm, ...others] = key === undefined ? [] : algorithmsOf(key);
  if (key === undefined || algorithm === undefined) return undefined;
  return { keyId, key, algorithms: [algorithm, ...others], audience };
}

function keyOption(options: OptionReader): string {
  return options.has('privateKey') ? 'privateKey' : 'privateKeyFile';
}

function readPrivateKey(
  options: OptionReader,
  kind: string,
  isUsable: (key: KeyObject) => boolean,
): KeyObject | undefined {
  const pem = readSecret(options, 'privateKey');
  if (pem === undefined) return undefined;
  try {
    const key = createPrivateKey(pem);
    if (isUsable(key)) return key;
  } catch {
    // The message would have parts of the key.
  }
  return options.problem(keyOption(options), `expected a private key for ${kind}`);
}

const ofCurves: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

function algorithmsOf({
  asymmetricKeyType: type,
  asymmetricKeyDetails: details,
}: KeyObject): readonly string[] {
  // The newer name is for providers that have it alone (RFC 9864).
  if (type === 'ed25519') return ['EdDSA', 'Ed25519'];
  if (type === 'rsa') return Number(details?.modulusLength) >= 2048 ? ['RS256', 'PS256'] : [];
  const ofCurve = type === 'ec' ? ofCurves[details?.namedCurve ?? ''] : undefined;
  return ofCurve === undefined ? [] : [ofCurve];
}
