import type { FieldTable } from './field.ts';

/** The fields of a client that say how it makes authorization requests. */
export const requestClientFields = {
  requirePushedAuthorizationRequests: {
    kind: { type: 'flag' },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Only pushed authorization requests',
    summary: 'it must push its authorization requests (PAR) to the server before the browser comes',
    details:
      'A request whose parameters come through the browser is then invalid_request (RFC 9126 section 6). The setting authorization.requirePushedRequests asks the same of all clients.',
    option: '--require-pushed-authorization-requests <bool>',
  },
} as const satisfies FieldTable;
