import {
  canSign,
  type KeyManagement,
  type Random,
  type SigningKey,
  type SigningKeyReader,
} from '@watchword/protocol';
import { dialectOf, type ServerStore } from '@watchword/store-sql';
import { type Configuration, flagName } from '../config/settings.ts';
import { signingKeyText } from '../config/signing-key.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { loadModule, ModuleLoadError } from '../modules/load-module.ts';
import { type Custody, custody } from '../signing/custody.ts';
import { fileKms } from '../signing/kms/file-kms.ts';
import { madeSealingKey, makeSealingKey, sealingKeyForm, sealingKeyFrom } from '../signing/sealing-key.ts';
import { openSigning, type Signing } from '../signing/signing.ts';

/** Reads the signing keys. @throws ConfigurationError, KeyManagementError */
export async function composeSigning(
  configuration: Configuration,
  store: ServerStore,
  random: Random,
): Promise<Signing> {
  return openSigning({
    ...store,
    random,
    custody: await openCustody(configuration, store, random),
    rules: {
      algorithms: configuration['signing.algorithms'],
      rotationInterval: configuration['signing.rotationInterval'],
      sessionLifetime: configuration['session.lifetime'],
    },
    refresh: () => store.refreshRegistry(),
  });
}

export interface CustodyStore {
  readonly signingKeys: SigningKeyReader;
  readonly clock: { now(): number };
}

/**
 * Finds the key that seals signing keys, and the key management system, as the configuration names them.
 *
 * @param replacesLost makes a new sealing key also when the one that the server had made is gone
 * @throws ConfigurationError, KeyManagementError
 */
export async function openCustody(
  configuration: Configuration,
  { signingKeys, clock }: CustodyStore,
  random: Random,
  replacesLost = false,
): Promise<Custody> {
  const kms = await loadedKms(configuration);
  const now = clock.now();
  const isSealed = ({ privateKey }: SigningKey) => privateKey !== undefined && 'sealed' in privateKey;
  const hasSealed = async () => (await signingKeys.list()).some((key) => isSealed(key) && canSign(key, now));
  const mayMake = async () => kms === undefined && (replacesLost || !(await hasSealed()));
  return custody({ sealingKey: await sealingKeyOf(configuration, kms, mayMake, random), kms, random });
}

async function sealingKeyOf(
  configuration: Configuration,
  kms: KeyManagement | undefined,
  mayMake: () => Promise<boolean>,
  random: Random,
): Promise<Uint8Array | undefined> {
  const text = await signingKeyText(configuration);
  if (text !== undefined) return sealingKeyFrom(text);
  const { database } = configuration;
  if (dialectOf(database) === 'sqlite') {
    const file = `${database}.key`;
    return (await madeSealingKey(file)) ?? ((await mayMake()) ? makeSealingKey(file, random) : undefined);
  }
  if (kms !== undefined) return undefined;
  throw new ConfigurationError([
    {
      path: 'signing.keyFile',
      place: flagName('signing.keyFile'),
      problem: `expected a file with ${sealingKeyForm}, because a PostgreSQL database must not have the key that seals its signing keys; make one with "openssl rand -base64 32", and give every server and command the same`,
    },
  ]);
}

async function loadedKms(configuration: Configuration): Promise<KeyManagement | undefined> {
  const { 'signing.kms': name, 'signing.kmsOptions': settings } = configuration;
  if (name === undefined) return undefined;
  try {
    return await loadModule<KeyManagement, { settings: typeof settings }>(
      name,
      { file: fileKms },
      { settings },
      ['create', 'publicKey', 'sign'],
    );
  } catch (error) {
    if (!(error instanceof ModuleLoadError)) throw error;
    throw new ConfigurationError([
      { path: 'signing.kms', place: flagName('signing.kms'), problem: error.message },
    ]);
  }
}
