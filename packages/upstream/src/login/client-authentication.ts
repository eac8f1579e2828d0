import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { OidcDependencies } from '../dependencies.ts';
import type { AssertionKey, SignedSecret } from '../options/private-key.ts';
import type { ProviderMetadata } from '../provider/metadata.ts';

type Options = OidcDependencies['options'];

/** What a token request has of the client, in addition to its own parameters. */
interface Authentication {
  readonly headers: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Client authentication: by a key if there is one (RFC 7523), and else by the secret, with HTTP Basic unless the provider only offers
 * the form (RFC 6749 §2.3.1).
 *
 * @param now epoch milliseconds
 */
export async function clientAuthentication(
  options: Options,
  metadata: ProviderMetadata,
  now: number,
): Promise<Authentication> {
  const { clientId, clientSecret, signedSecret, assertionKey } = options;
  if (assertionKey !== undefined) {
    return inForm({
      client_id: clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await newAssertion(assertionKey, clientId, metadata, now),
    });
  }
  const secret = signedSecret ? await newSecret(signedSecret, clientId, metadata.issuer, now) : clientSecret;
  if (secret === undefined) return inForm({ client_id: clientId });
  if (secretMethod(options, metadata) === 'post')
    return inForm({ client_id: clientId, client_secret: secret });
  const credentials = `${formEncoded(clientId)}:${formEncoded(secret)}`;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return { headers: { authorization }, parameters: {} };
}

function inForm(parameters: Readonly<Record<string, string>>): Authentication {
  return { headers: {}, parameters };
}

function secretMethod(
  { clientAuthentication: chosen }: Options,
  { authenticationMethods: offered }: ProviderMetadata,
): 'basic' | 'post' {
  const isPost = offered.includes('client_secret_post') && !offered.includes('client_secret_basic');
  return chosen ?? (isPost ? 'post' : 'basic');
}

/** Nobody has to renew it: each request has one that expires in five minutes. */
function newSecret({ teamId, keyId, key }: SignedSecret, clientId: string, audience: string, now: number) {
  return valid(new SignJWT(), now, 300)
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setSubject(clientId)
    .setAudience(audience)
    .sign(key);
}

function newAssertion(
  { algorithms, audience, key, keyId }: AssertionKey,
  clientId: string,
  { assertionAlgorithms: offered, issuer, tokenEndpoint }: ProviderMetadata,
  now: number,
): Promise<string> {
  const alg = algorithms.find((each) => offered?.includes(each)) ?? algorithms[0];
  return valid(new SignJWT(), now, 60)
    .setProtectedHeader({ alg, ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(audience === 'issuer' ? issuer : tokenEndpoint)
    .setJti(randomUUID())
    .sign(key);
}

function valid(jwt: SignJWT, now: number, seconds: number): SignJWT {
  const issued = Math.floor(now / 1000);
  return jwt.setIssuedAt(issued).setExpirationTime(issued + seconds);
}

function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
