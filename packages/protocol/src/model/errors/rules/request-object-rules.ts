import type { ErrorRule } from './error-rule.ts';

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
  pushed_pace: {
    requirement: 'Requests of public clients are stored for one network at a limited pace.',
    section: 'RFC 9126 §7.2',
    advice: 'Wait for a moment. Requests of clients that authenticate are not affected.',
    refusal: ({ retryAfter }: { readonly retryAfter: number }) => ({
      description: `Too many requests of public clients are pushed; the next one is taken in ${retryAfter} s.`,
    }),
  },
} as const satisfies Readonly<Record<string, ErrorRule>>;
