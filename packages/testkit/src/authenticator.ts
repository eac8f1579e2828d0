import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { encode } from 'cborg';
import { rsaKey } from './rsa-key.ts';

/** Flags of authenticator data (WebAuthn Level 3 §6.1). */
export const flag = {
  present: 1,
  verified: 4,
  backupEligible: 8,
  backedUp: 16,
  credential: 64,
  extensions: 128,
};

/** What an answer has in the place of the right values. */
export interface Forgery {
  /** Members of the client data; `undefined` removes one. */
  readonly clientData?: Readonly<Record<string, unknown>>;
  /** What is signed and sent in the place of the client data. */
  readonly clientDataText?: string;
  readonly relyingPartyId?: string;
  readonly flags?: number;
  readonly counter?: number;
  readonly credentialId?: Buffer;
  /** Changes the COSE key of a new credential. */
  readonly coseKey?: (key: Map<number, unknown>) => unknown;
  readonly authData?: (octets: Buffer) => Buffer;
  readonly attestation?: (object: Map<string, unknown>) => unknown;
  /** Changes the attestation object, as octets. */
  readonly attestationOctets?: (octets: Buffer) => Buffer;
  readonly signature?: (octets: Buffer) => Buffer;
  /** Members of `response`; `undefined` removes one. */
  readonly response?: Readonly<Record<string, unknown>>;
  /** Members of the answer; `undefined` removes one. */
  readonly answer?: Readonly<Record<string, unknown>>;
}

export interface AuthenticatorOptions {
  /** COSE. Default: -7, ES256. */
  readonly algorithm?: -8 | -7 | -257;
  /** Default: 0, which counts nothing. */
  readonly counter?: number;
  /** Default: a passkey on one device. */
  readonly flags?: number;
}

interface CreationOptions {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly challenge: string;
}

interface RequestOptions {
  readonly rpId: string;
  readonly challenge: string;
}

/** An authenticator and the browser before it, with one passkey: real keys and signatures. */
export class Authenticator {
  readonly id = randomBytes(32);
  readonly #algorithm: number;
  readonly #privateKey: KeyObject;
  readonly #coseKey: Map<number, unknown>;
  readonly #flags: number;
  #counter: number;
  #userHandle = '';

  constructor({ algorithm = -7, counter = 0, flags = 0 }: AuthenticatorOptions = {}) {
    const { privateKey, coseKey } = keyPairs[algorithm]();
    this.#algorithm = algorithm;
    this.#privateKey = privateKey;
    this.#coseKey = new Map<number, unknown>([[3, algorithm], ...coseKey]);
    this.#counter = counter;
    this.#flags = flag.present | flag.verified | flags;
  }

  /** @returns `PublicKeyCredential.toJSON` as JSON */
  create(options: CreationOptions, origin: string, forgery: Forgery = {}): string {
    this.#userHandle = options.user.id;
    const { credentialId = this.id, coseKey = (key) => key } = forgery;
    const key = encode(coseKey(new Map(this.#coseKey)));
    const length = Buffer.alloc(2);
    length.writeUInt16BE(credentialId.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, key]);
    const flags = this.#flags | flag.credential;
    const authData = this.#authData(options.rp.id, flags, attested, forgery);
    const object = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    const { attestation = (same) => same, attestationOctets = (same) => same } = forgery;
    const attestationObject = attestationOctets(Buffer.from(encode(attestation(object))));
    const clientDataJSON = clientData('webauthn.create', options.challenge, origin, forgery);
    const response = { clientDataJSON, attestationObject, transports: ['internal', 'hybrid'] };
    return this.#answer(response, { credProps: { rk: true } }, forgery);
  }

  /** @returns `PublicKeyCredential.toJSON` as JSON */
  get(options: RequestOptions, origin: string, forgery: Forgery = {}): string {
    if (this.#counter > 0) this.#counter += 1;
    const authenticatorData = this.#authData(options.rpId, this.#flags, Buffer.alloc(0), forgery);
    const clientDataJSON = clientData('webauthn.get', options.challenge, origin, forgery);
    const { signature = (same) => same } = forgery;
    const response = {
      clientDataJSON,
      authenticatorData,
      signature: signature(this.sign(authenticatorData, clientDataJSON)),
      userHandle: Buffer.from(this.#userHandle, 'base64url'),
    };
    return this.#answer(response, {}, forgery);
  }

  sign(authData: Buffer, clientDataJSON: Buffer): Buffer {
    const signed = Buffer.concat([authData, createHash('sha256').update(clientDataJSON).digest()]);
    return sign(this.#algorithm === -8 ? null : 'sha256', signed, this.#privateKey);
  }

  #authData(relyingPartyId: string, flags: number, more: Buffer, forgery: Forgery): Buffer {
    const head = Buffer.alloc(37);
    createHash('sha256')
      .update(forgery.relyingPartyId ?? relyingPartyId)
      .digest()
      .copy(head);
    head.writeUInt8(forgery.flags ?? flags, 32);
    head.writeUInt32BE(forgery.counter ?? this.#counter, 33);
    const { authData = (same) => same } = forgery;
    return authData(Buffer.concat([head, more]));
  }

  #answer(response: object, clientExtensionResults: object, forgery: Forgery): string {
    const id = this.id.toString('base64url');
    const answer = {
      id,
      rawId: id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      response: { ...response, ...forgery.response },
      clientExtensionResults,
      ...forgery.answer,
    };
    return JSON.stringify(answer, (_, value) =>
      isBuffer(value) ? Buffer.from(value.data).toString('base64url') : value,
    );
  }
}

/** As `JSON.stringify` passes one. */
function isBuffer(value: unknown): value is { readonly data: readonly number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
}

function clientData(type: string, challenge: string, origin: string, forgery: Forgery): Buffer {
  const data = { type, challenge, origin, crossOrigin: false, ...forgery.clientData };
  return Buffer.from(forgery.clientDataText ?? JSON.stringify(data));
}

/** COSE keys (RFC 9053 §7, RFC 8230 §4) without their algorithm. */
const keyPairs = {
  [-8]: () =>
    keyPair(
      generateKeyPairSync('ed25519').privateKey,
      [
        [1, 1],
        [-1, 6],
      ],
      { x: -2 },
    ),
  [-7]: () =>
    keyPair(
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
      [
        [1, 2],
        [-1, 1],
      ],
      { x: -2, y: -3 },
    ),
  [-257]: () => keyPair(rsaKey('client', 2048), [[1, 3]], { n: -1, e: -2 }),
};

function keyPair(
  privateKey: KeyObject,
  fixed: readonly (readonly [number, unknown])[],
  labels: Readonly<Record<string, number>>,
) {
  const jwk = { ...privateKey.export({ format: 'jwk' }) } as Readonly<Record<string, unknown>>;
  const coordinates = Object.entries(labels).map(
    ([name, label]) => [label, Buffer.from(String(jwk[name]), 'base64url')] as const,
  );
  return { privateKey, coseKey: [...fixed, ...coordinates] };
}
