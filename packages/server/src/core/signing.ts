import { realpath } from 'node:fs/promises';
import { canSign, type KeyManagement, type Random, type SigningKey } from '@watchword/protocol';
import { dialectOf, type ServerStore, type Store } from '@watchword/store-sql';
import { type Configuration, flagName } from '../config/settings.ts';
import { signingKeyText } from '../config/signing-key.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { loadModule, ModuleLoadError } from '../modules/load-module.ts';
import { type Custody, custody } from '../signing/custody.ts';
import type { MakeKeyPair } from '../signing/key-pairs.ts';
import { fileKms } from '../signing/kms/file-kms.ts';
import { madeSealingKey, makeSealingKey, sealingKeyForm, sealingKeyFrom } from '../signing/sealing-key.ts';
import { openSigning, type Signing } from '../signing/signing.ts';

/** What holds private halves, as the configuration names it. */
export interface KeyHolders {
  /** Seals private halves; `undefined` if the server makes it, or if there is none. */
  readonly sealingKey: Uint8Array | undefined;
  readonly kms: KeyManagement | undefined;
  /** The database, if a file beside it has the sealing key. */
  readonly file: string | undefined;
  /** Makes the keys that the database holds, in another way than the product does. */
  readonly makePair?: MakeKeyPair | undefined;
}

/** Reads the sealing key, and loads the key management system. @throws ConfigurationError */
export async function keyHolders(configuration: Configuration, makePair?: MakeKeyPair): Promise<KeyHolders> {
  const kms = await loadedKms(configuration);
  const text = await signingKeyText(configuration);
  const { database } = configuration;
  const isFile = dialectOf(database) === 'sqlite';
  if (text === undefined && kms === undefined && !isFile) throw needsSealingKey();
  return {
    sealingKey: text === undefined ? undefined : sealingKeyFrom(text),
    kms,
    file: text === undefined && isFile ? database : undefined,
    makePair,
  };
}

/** Reads the signing keys. @throws KeyManagementError */
export async function composeSigning(
  configuration: Configuration,
  holders: KeyHolders,
  store: SigningStore,
  random: Random,
): Promise<Signing> {
  return openSigning({
    ...store,
    random,
    custody: await openCustody(holders, store, random),
    rules: {
      algorithms: configuration['signing.algorithms'],
      rotationInterval: configuration['signing.rotationInterval'],
      sessionLifetime: configuration['session.lifetime'],
    },
    refresh: () => store.refreshRegistry(),
  });
}

/** What both a server and a command have of a store. */
export type SigningStore = Store & Pick<ServerStore, 'followChanges' | 'refreshRegistry'>;

/**
 * What becomes of the sealing key that the server makes beside a SQLite database, if its file is missing. `make`: it is made, unless
 * a key needs the one that is missing; `replace`: it is made in any case; `keep`: nothing is made.
 */
export type MissingSealingKey = 'make' | 'replace' | 'keep';

/** @throws KeyManagementError */
export async function openCustody(
  { sealingKey, kms, file, makePair }: KeyHolders,
  { signingKeys, clock }: Pick<Store, 'signingKeys' | 'clock'>,
  random: Random,
  missing: MissingSealingKey = 'make',
): Promise<Custody> {
  if (file === undefined) return custody({ sealingKey, kms, random, makePair });
  const now = clock.now();
  const isSealed = ({ privateKey }: SigningKey) => privateKey !== undefined && 'sealed' in privateKey;
  const hasSealed = async () => (await signingKeys.list()).some((key) => isSealed(key) && canSign(key, now));
  const mayMake = async () =>
    kms === undefined && missing !== 'keep' && (missing === 'replace' || !(await hasSealed()));
  // Beside the file itself, by whatever name it was opened.
  const place = `${await realpath(file)}.key`;
  const made = await madeSealingKey(place);
  const own = made ?? ((await mayMake()) ? await makeSealingKey(place, random) : undefined);
  const readSealingKey = () => madeSealingKey(place);
  return custody({ sealingKey: own, kms, random, makePair, sealingKeyFile: place, readSealingKey });
}

function needsSealingKey(): ConfigurationError {
  return new ConfigurationError([
    {
      path: 'signing.keyFile',
      place: flagName('signing.keyFile'),
      problem: `expected a file with ${sealingKeyForm}, because a PostgreSQL database must not have the key that seals its signing keys; make one with "openssl rand -base64 32", and give every server and command the same`,
    },
  ]);
}

/** The key management system that the configuration names. @throws ConfigurationError */
export async function loadedKms(configuration: Configuration): Promise<KeyManagement | undefined> {
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
