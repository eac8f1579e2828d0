import { authenticateClient as client } from '../../src/clients/authentication/authenticate-client.ts';
import { authenticateIntrospectionCaller as introspectionCaller } from '../../src/clients/authentication/authenticate-introspection-caller.ts';
import { authenticateResourceServer as resourceServer } from '../../src/clients/authentication/authenticate-resource-server.ts';

/*
 * The same functions for tests that expect an error: always a promise, as every endpoint makes of them.
 */

export const authenticateClient = async (...given: Parameters<typeof client>) => client(...given);

export const authenticateResourceServer = async (...given: Parameters<typeof resourceServer>) =>
  resourceServer(...given);

export const authenticateIntrospectionCaller = async (...given: Parameters<typeof introspectionCaller>) =>
  introspectionCaller(...given);
