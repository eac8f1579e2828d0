import type { AuthenticationModule } from './authentication-module.ts';

/**
 * The authentication modules that the server is configured with, each by its name, in the order in which users see them.
 * There is at least one.
 */
export type Authenticators = ReadonlyMap<string, AuthenticationModule>;
