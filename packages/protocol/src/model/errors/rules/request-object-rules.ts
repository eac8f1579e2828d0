import { quotedUrl } from '../../quoted.ts';
import type { ErrorRule } from './error-rule.ts';

/** What is wrong with the members of a request object. */
export interface RequestObjectClaims {
  /** The part of a sentence that follows "The request object". */
  readonly problem: string;
  readonly expected?: string;
  readonly came?: string;
}

const inLibrary =
  'Correct how the library of the application makes request objects, or switch them off there.';

/** Rules of authorization requests that do not come in the query: pushed ones, and request objects. */
export const requestObjectRules = {
  pushed_request: {
    requirement:
      'A client that must push its authorization requests sends the browser with the request_uri that it got for one.',
    section: 'RFC 9126 §5',
    command: 'watchword client show {client}',
    advice:
      'Switch pushed authorization requests (PAR) on in the library of the application. The field requirePushedAuthorizationRequests of the client asks for them, or the setting authorization.requirePushedRequests.',
    refusal: () => ({
      description: 'The client must push its request to the endpoint /oauth2/par first.',
      expected: 'the request_uri of a pushed authorization request',
      came: 'the parameters themselves',
    }),
  },
  signed_request: {
    requirement:
      'A client that must sign its authorization requests has all parameters in a request object that one of its keys signed.',
    section: 'RFC 9101 §10.5',
    command: 'watchword client show {client}',
    advice:
      'Switch signed request objects (JAR) on in the library of the application, with the key of which the public half is in jwks or at jwksUri. The field requireSignedRequestObject of the client asks for them, or the setting authorization.requireSignedRequests.',
    refusal: () => ({
      description: 'The client must send its request in a signed request object, with all parameters in it.',
      expected: 'the parameter request with a signed request object',
      came: 'parameters without a signature',
    }),
  },
  pushed_request_uri: {
    requirement:
      'The request_uri of a pushed authorization request is used by the client that pushed it, within 60 seconds, for one response.',
    section: 'RFC 9126 §2.2',
    advice: 'Start again from the application: it must push a new request each time.',
    refusal: () => ({
      description: 'The request_uri is unknown, has expired, was used, or belongs to another client.',
    }),
  },
  pushed_parameters: {
    requirement: 'A pushed authorization request has its parameters themselves, or in a request object.',
    section: 'RFC 9126 §2.1',
    advice: 'Leave request_uri out of the request to /oauth2/par.',
    refusal: () => ({ description: 'A pushed authorization request cannot have a request_uri.' }),
  },
  request_object_form: {
    requirement:
      'A request object is a JWT of at most 16,384 characters whose members are the parameters of the request. It is not encrypted.',
    section: 'RFC 9101 §4',
    advice: inLibrary,
    refusal: () => ({ description: 'The request object is not a JWT of at most 16,384 characters.' }),
  },
  request_object_claims: {
    requirement:
      'A request object has no other one in it, and no client_id or response_type that contradicts the request. Its typ, iss, aud, exp, nbf and iat, where it has them, are those of a request object of this client for this server, valid now.',
    section: 'RFC 9101 §4',
    advice: inLibrary,
    refusal: ({ problem, ...facts }: RequestObjectClaims) => ({
      description: `The request object ${problem}.`,
      ...facts,
    }),
  },
  request_object_signature: {
    requirement:
      'A request object is signed by a registered key of the client, with the algorithm of its field requestObjectSigningAlg. Without a signature it is one of OpenID Connect, of a client that registered no algorithm.',
    section: 'RFC 9101 §6.2',
    command: 'watchword client show {client}',
    advice:
      'Compare jwks or jwksUri of the client with the keys of the application, and requestObjectSigningAlg with the algorithm that its library uses.',
    refusal: ({ expected, came }: { readonly expected: string; readonly came: string }) => ({
      description: `The signature of the request object is not accepted: expected ${expected}, got ${came}.`,
      expected,
      came,
    }),
  },
  one_request_object: {
    requirement: 'A request has one request object: in request, or at request_uri.',
    section: 'RFC 9101 §5',
    advice: 'Leave request or request_uri out.',
    refusal: () => ({ description: 'The parameters request and request_uri exclude each other.' }),
  },
  registered_request_uri: {
    requirement:
      'The request_uri of a request is one that the client has registered, character by character.',
    section: 'OpenID Connect Core §6.2',
    command: 'watchword client update {client} --request-uri REQUEST_URI',
    advice:
      'If the address belongs to the application, register it: name all request URIs of the client, because they replace the registered ones.',
    refusal: ({ uri }: { readonly uri: string }) => ({
      description: 'The request_uri is not one that the client has registered.',
      came: quotedUrl(uri),
    }),
  },
  request_uri_object: {
    requirement:
      'The request_uri of a request answers within 5 seconds with a request object of at most 16,384 bytes.',
    section: 'RFC 9101 §5.2.3',
    advice: 'Fetch the address yourself to see what the server sees.',
    refusal: ({ problem }: { readonly problem: string }) => ({
      description: `The request_uri ${problem}.`,
    }),
  },
  pushed_pace: {
    requirement:
      'Requests of public clients, and of those that nobody registered, are stored for one network at a limited pace.',
    section: 'RFC 9126 §7.2',
    advice:
      'Wait for a moment. Requests of clients that a record owner registered and that authenticate are not affected.',
    refusal: ({ retryAfter }: { readonly retryAfter: number }) => ({
      description: `Too many requests are pushed from this network; the next one is taken in ${retryAfter} s.`,
    }),
  },
} as const satisfies Readonly<Record<string, ErrorRule>>;
