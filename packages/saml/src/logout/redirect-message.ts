import { inflateRawSync } from 'node:zlib';
import { shown } from '@watchword/protocol';
import { requireUniqueIds, strictXml } from '../response/strict-xml.ts';
import { SamlError } from '../saml-error.ts';
import { type SignatureMethod, signatureMethods } from '../signature/algorithms.ts';
import type { XmlElement } from '../xml/element.ts';

/** A message by HTTP-Redirect. Its signature is not yet checked (Bindings §3.4.4). */
export interface RedirectMessage {
  readonly xml: string;
  readonly root: XmlElement;
  readonly relayState: string;
  /** The signed parameters, encoded as they were sent, in the order of the specification (Bindings §3.4.4.1). */
  readonly signedQuery: string;
  readonly method: SignatureMethod;
  readonly signature: Buffer;
}

const maxInflated = 64 * 1024;
const signedNames = ['SAMLRequest', 'RelayState', 'SigAlg'];
const names = [...signedNames, 'Signature'];

/**
 * Reads a request with its signature. Only signed parameters are used, and each must be given at most once: otherwise one
 * value could be verified and another one be used.
 *
 * @param query as it was sent, without decoding
 * @throws SamlError
 */
export function readRedirectRequest(query: string): RedirectMessage {
  const found = new Map<string, string>();
  for (const pair of query.split('&')) {
    const name = pair.slice(0, Math.max(0, pair.indexOf('=')));
    if (!names.includes(name)) continue;
    if (found.has(name)) throw new SamlError('structure', `${name} is given more than once`);
    found.set(name, pair);
  }
  const parameters = Object.fromEntries(
    [...found].map(([name, pair]) => [name, decode(pair.slice(name.length + 1))]),
  );
  const { SAMLRequest, RelayState = '', SigAlg = '', Signature } = parameters;
  if (SAMLRequest === undefined) throw new SamlError('encoding', 'SAMLRequest is missing');
  if (Signature === undefined || Signature === '')
    throw new SamlError('signature', 'the request is not signed');
  const method = signatureMethods.get(SigAlg);
  if (method === undefined) {
    throw new SamlError('algorithm', `the SigAlg ${shown(SigAlg, 100)} is not allowed`);
  }
  const xml = inflate(SAMLRequest);
  const root = strictXml(xml);
  requireUniqueIds(root);
  return {
    xml,
    root,
    relayState: RelayState,
    signedQuery: signedNames.flatMap((name) => found.get(name) ?? []).join('&'),
    method,
    signature: Buffer.from(Signature, 'base64'),
  };
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    throw new SamlError('encoding', 'a parameter is not valid percent-encoded UTF-8');
  }
}

function inflate(text: string): string {
  try {
    return inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: maxInflated }).toString('utf8');
  } catch {
    throw new SamlError(
      'encoding',
      `expected SAMLRequest to be DEFLATE data of at most ${maxInflated} bytes`,
    );
  }
}
