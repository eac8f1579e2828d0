import type { KeyHolder } from '@watchword/administration';
import {
  type KeyManagement,
  KeyManagementError,
  type MadeSigningKey,
  openWith,
  type Random,
  type SigningAlgorithm,
  type SigningKey,
  sealWith,
} from '@watchword/protocol';
import { type KeyPair, type MakeKeyPair, makeKeyPair, membersOf } from './key-pairs.ts';
import { type CallKeyManagement, limitedCalls } from './kms/limited-calls.ts';
import { loadJose } from './load-jose.ts';

/** The protected header of a JWT that the server signs. */
export interface JwtHeader {
  readonly alg: SigningAlgorithm;
  readonly typ: string;
  readonly kid: string;
}

/** Signs a JWS in compact form. */
export type SignJws = (header: JwtHeader, payload: Uint8Array) => Promise<string>;

/** Where the private halves of signing keys are: sealed in the database, or in a key management system. */
export interface Custody extends KeyHolder {
  /** Takes over a key pair that the operator brings. @throws KeyManagementError */
  take(kid: string, algorithm: SigningAlgorithm, pair: KeyPair): MadeSigningKey;
  /** Takes over a key that is in the key management system. @throws KeyManagementError */
  refer(kid: string, algorithm: SigningAlgorithm, reference: string): Promise<MadeSigningKey>;
  /** @throws KeyManagementError */
  signerOf(key: SigningKey): Promise<SignJws>;
  /** Seals a secret of another kind for the database. @param purpose with which alone it can be opened @throws KeyManagementError */
  sealSecret(purpose: string, secret: string): Promise<string>;
  /** `undefined` for a text that was not sealed for the purpose, or with another key. */
  openSecret(purpose: string, sealed: string): Promise<string | undefined>;
}

export interface CustodyOptions {
  /** 32 bytes; `undefined` if there is none. */
  readonly sealingKey: Uint8Array | undefined;
  /** Holds the keys that are made from now on; `undefined`: the database does. */
  readonly kms: KeyManagement | undefined;
  readonly random: Random;
  /** Makes the keys that the database holds; {@link makeKeyPair} unless another is given. */
  readonly makePair?: MakeKeyPair | undefined;
  /** The file that the server makes for the sealing key, for messages. */
  readonly sealingKeyFile?: string;
  /** Reads that file again, which a command can have made anew while the server runs; `undefined` if it is missing. @throws KeyManagementError */
  readonly readSealingKey?: () => Promise<Uint8Array | undefined>;
}

export function custody({
  sealingKey: firstSealingKey,
  kms,
  random,
  makePair = makeKeyPair,
  sealingKeyFile,
  readSealingKey = async () => undefined,
}: CustodyOptions): Custody {
  let sealingKey = firstSealingKey;
  const readAgain = async () => {
    sealingKey = (await readSealingKey()) ?? sealingKey;
  };
  const noSealingKey = noSealingKeyIn(sealingKeyFile);
  const wrongSealingKey = wrongSealingKeyOf(sealingKeyFile);
  const call = kms && limitedCalls(kms);
  const take: Custody['take'] = (kid, algorithm, { publicKey, privateKey }) => {
    if (sealingKey === undefined) throw new KeyManagementError(noSealingKey);
    const sealed = sealWith(sealingKey, privateKey, contextOf(kid, algorithm), random);
    return { kid, algorithm, publicKey, privateKey: { sealed } };
  };
  const refer: Custody['refer'] = async (kid, algorithm, reference) => {
    const publicKey = await callOf(call)('cannot give a public key', (system, limit) =>
      system.publicKey(reference, limit),
    );
    return { kid, algorithm, publicKey: membersOf(publicKey), privateKey: { reference } };
  };
  const discard = discardIn(call);
  return {
    take,
    refer,
    async make(algorithm) {
      const kid = newKid(random);
      if (call === undefined) {
        const pair = await makePair(algorithm);
        await readAgain();
        return take(kid, algorithm, pair);
      }
      const reference = await call('cannot make a key', async (system, limit) => {
        const made = await system.create(algorithm, limit);
        // Nobody waits for it any more, and nobody would find it there.
        if (limit.signal.aborted) await discard({ reference: made });
        return made;
      });
      return refer(kid, algorithm, reference);
    },
    problemOf({ kid, algorithm, privateKey }) {
      if (privateKey === undefined) return 'its private half is erased';
      if ('reference' in privateKey) return kms === undefined ? noKms : undefined;
      if (sealingKey === undefined) return noSealingKey;
      return openWith(sealingKey, privateKey.sealed, contextOf(kid, algorithm)) === undefined
        ? wrongSealingKey
        : undefined;
    },
    async signerOf({ kid, algorithm, publicKey, privateKey }) {
      if (privateKey === undefined) throw new KeyManagementError(`the private half of ${kid} is erased`);
      if ('reference' in privateKey) return kmsSigner(callOf(call), privateKey.reference, publicKey);
      const opened = () => sealingKey && openWith(sealingKey, privateKey.sealed, contextOf(kid, algorithm));
      if (opened() === undefined) await readAgain();
      const pem = opened();
      if (pem === undefined) throw new KeyManagementError(sealingKey ? wrongSealingKey : noSealingKey);
      const { CompactSign, importPKCS8 } = await loadJose();
      const key = await importPKCS8(pem, algorithm);
      return (header, payload) => new CompactSign(payload).setProtectedHeader({ ...header }).sign(key);
    },
    async sealSecret(purpose, secret) {
      await readAgain();
      if (sealingKey === undefined) throw new KeyManagementError(noSealingKey);
      return sealWith(sealingKey, secret, purpose, random);
    },
    async openSecret(purpose, sealed) {
      const opened = () => sealingKey && openWith(sealingKey, sealed, purpose);
      if (opened() === undefined) await readAgain();
      return opened();
    },
    discard,
  };
}

function noSealingKeyIn(file: string | undefined): string {
  return file === undefined
    ? 'the key that seals it is missing; name the file that has it with --signing-key-file, or set WATCHWORD_SIGNING_KEY'
    : `the key that seals it is missing; bring the file ${file} back, or name its copy with --signing-key-file`;
}

function wrongSealingKeyOf(file = '--signing-key-file or WATCHWORD_SIGNING_KEY'): string {
  return `it is sealed with another key than that of ${file}; name the key that sealed it with --signing-key-file`;
}

const noKms = 'it is in a key management system, and signing.kms names none; name the one that has it';

function callOf(call: CallKeyManagement | undefined): CallKeyManagement {
  if (call === undefined) throw new KeyManagementError(noKms);
  return call;
}

function discardIn(call: CallKeyManagement | undefined): Custody['discard'] {
  return async (privateKey) => {
    if (privateKey === undefined || !('reference' in privateKey)) return true;
    if (call === undefined) return false;
    const { reference } = privateKey;
    await call('cannot remove a key', async (system, limit) => system.remove?.(reference, limit));
    return true;
  };
}

/** A text sealed for one key cannot be put in the place of another. */
function contextOf(kid: string, algorithm: SigningAlgorithm): string {
  return `signing key ${algorithm} ${kid}`;
}

/** 16 hexadecimal digits, which can be an argument of every command. */
export function newKid(random: Random): string {
  const bytes = Buffer.alloc(8);
  random.fill(bytes);
  return bytes.toString('hex');
}

/**
 * The signing input is put together here, because `jose` signs only with keys that are in this process. The first signature is
 * verified: a system with a wrong form of signatures, or another key, is found before a client gets a token.
 */
function kmsSigner(
  call: CallKeyManagement,
  reference: string,
  publicKey: MadeSigningKey['publicKey'],
): SignJws {
  let isVerified = false;
  return async (header, payload) => {
    const { base64url, compactVerify, importJWK } = await loadJose();
    const input = `${base64url.encode(JSON.stringify(header))}.${base64url.encode(payload)}`;
    const signature = await call('cannot sign', (system, limit) =>
      system.sign(reference, header.alg, Buffer.from(input), limit),
    );
    const text = `${input}.${base64url.encode(signature)}`;
    if (!isVerified) {
      const key = await importJWK({ ...publicKey }, header.alg);
      await compactVerify(text, key, { algorithms: [header.alg] }).catch((cause: unknown) => {
        throw new KeyManagementError(
          `the key management system returned a signature that the public key of ${reference} does not verify: expected the form of JWS for ${header.alg} (RFC 7518 §3)`,
          { cause },
        );
      });
      isVerified = true;
    }
    return text;
  };
}
