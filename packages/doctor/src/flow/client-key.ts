import { createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { createOutboundFetch, OutboundError } from '@watchword/outbound';
import {
  type KeySet,
  type ListedKey,
  maxKeySetBytes,
  readKeySet,
  shellCommand,
  signatureKeys,
} from '@watchword/protocol';
import { SignJWT } from 'jose';
import { broken, type Cure, ok, skipped } from '../finding.ts';
import { type Flow, type NamedFindings, named } from './flow.ts';

/** Makes assertions of a client (RFC 7523 §2.2). */
export type SignAssertion = () => Promise<string>;

/** Signs by the private key of the client. Says whether the server can verify that; if not, there is nothing to sign by. */
export async function* signedAssertions(flow: Flow): NamedFindings<SignAssertion | undefined> {
  const { client, clientKey, server } = flow;
  const { clientId } = client;
  if (clientKey === undefined) {
    const advice = 'name the file with its private key by --client-key';
    yield* named('client-key', [skipped(`the private key of ${clientId} is not known`, advice)]);
    return undefined;
  }
  const chosen = chooseKey(clientKey, await registeredKeys(flow), flow);
  if ('found' in chosen) {
    yield* named('client-key', [broken(chosen.found, chosen)]);
    return undefined;
  }
  const { algorithm, kid } = chosen;
  const name = kid === undefined ? 'a registered key' : `the registered key ${JSON.stringify(kid)}`;
  yield* named('client-key', [ok(`the private key belongs to ${name}, and signs by ${algorithm}`)]);
  return () =>
    new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: algorithm, ...(kid !== undefined && { kid }) })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(String(server.metadata.issuer))
      .setIssuedAt(Math.floor(server.clock.now() / 1000))
      .setExpirationTime(Math.floor(server.clock.now() / 1000) + lifetime)
      .sign(clientKey);
}

/** Seconds. */
const lifetime = 60;

type Broken = Cure & { readonly found: string };

const limits = { maxBytes: maxKeySetBytes, answerTimeout: 5_000, timeout: 5_000 };

async function registeredKeys({ client, configuration }: Flow): Promise<KeySet | Broken> {
  const { jwks, jwksUri } = client;
  if (jwksUri === '') return jwks;
  const cure = {
    expected: 'status 200 and a JSON Web Key Set, at an address that the server reaches',
    advice: `let the application publish its keys there; a private host needs outbound.privateHosts (--outbound-private-hosts ${new URL(jwksUri).host})`,
  };
  try {
    const fetch = createOutboundFetch({ allowPrivateAddresses: configuration['outbound.privateHosts'] });
    using answer = await fetch(jwksUri, limits);
    if (answer.status !== 200) return { found: `${jwksUri} answers with status ${answer.status}`, ...cure };
    const keys = readKeySet(await answer.json());
    return 'problem' in keys ? { found: `${jwksUri} ${keys.problem}`, ...cure } : keys;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { found: `the keys at ${jwksUri} cannot be read: ${error.message}`, ...cure };
  }
}

interface Chosen {
  readonly algorithm: string;
  readonly kid: string | undefined;
}

/** By which registered key, and by which algorithm, the server verifies what the private key signs. */
function chooseKey(
  key: KeyObject,
  keys: KeySet | Broken,
  { client, server }: Pick<Flow, 'client' | 'server'>,
): Chosen | Broken {
  if ('found' in keys) return keys;
  const { clientId, jwksUri, tokenEndpointAuthSigningAlg: pinned } = client;
  const half = createPublicKey(key).export({ format: 'jwk' });
  const isSame = (each: ListedKey) => members.every((member) => each[member] === half[member]);
  if (!keys.keys.some(isSame)) {
    const count = keys.keys.length;
    const register = shellCommand('watchword client update {client} --jwks public.pem', { client: clientId });
    return {
      found: `the private key belongs to none of the ${count} registered ${count === 1 ? 'key' : 'keys'} of ${clientId}`,
      expected: `its public half ${jwksUri === '' ? 'in jwks' : `at ${jwksUri}`}`,
      advice:
        jwksUri === ''
          ? `use the private key of the application, or register its public half: ${register}, from "openssl pkey -in PRIVATE -pubout -out public.pem"`
          : 'use the private key of the application, or let it publish the public half',
    };
  }
  const supported = [server.metadata.token_endpoint_auth_signing_alg_values_supported ?? []].flat();
  const algorithms = (algorithmsOf[key.asymmetricKeyType ?? ''] ?? []).filter(
    (each) => supported.includes(each) && (pinned === '' || pinned === each),
  );
  for (const algorithm of algorithms) {
    const used = signatureKeys(keys, algorithm, undefined).find(isSame);
    if (used !== undefined) return { algorithm, kid: used.kid };
  }
  return {
    found: `the key of ${clientId} makes no signature that the server takes`,
    expected: `a key for signatures by ${pinned === '' ? supported.join(' or ') : pinned}`,
    advice: `compare use, key_ops, alg and crv of the registered key, and tokenEndpointAuthSigningAlg: ${shellCommand('watchword client show {client}', { client: clientId })}`,
  };
}

const members = ['kty', 'crv', 'x', 'y', 'n', 'e'] as const;

const algorithmsOf: Readonly<Record<string, readonly string[]>> = {
  rsa: ['RS256', 'PS256'],
  'rsa-pss': ['PS256'],
  ec: ['ES256'],
  ed25519: ['EdDSA'],
};
