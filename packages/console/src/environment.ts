import type { AdminClient, Principal } from '@watchword/admin-client';
import { createContext, useContext } from 'react';
import type { Drafts } from './session/drafts.ts';
import type { Session } from './session/session.ts';
import type { SignIn } from './session/sign-in.ts';

/** What every part of the application may need. */
export interface Environment {
  readonly baseUrl: string;
  /** The issuer identifier of the server: another one than `baseUrl` at a second host name. */
  readonly issuer: string;
  readonly productName: string;
  readonly logo: string | undefined;
  readonly version: string;
  /** Lifetime in seconds of an implicit-grant token whose client has no expiry. */
  readonly implicitLifetime: number;
  /** The algorithms with which the server signs JWTs. */
  readonly signingAlgorithms: readonly string[];
  /** Whether users log in with local accounts. */
  readonly hasLocalAccounts: boolean;
  readonly admin: AdminClient;
  /** Whom another token speaks for. */
  principalOf(token: string): Promise<Principal>;
  readonly session: Session;
  readonly signIn: SignIn;
  readonly drafts: Drafts;
}

export const EnvironmentContext = createContext<Environment | undefined>(undefined);

export function useEnvironment(): Environment {
  const environment = useContext(EnvironmentContext);
  if (environment === undefined) throw new Error('there is no environment around this component');
  return environment;
}

/** Who is signed in, and what their token allows. */
export interface Person {
  readonly principal: Principal;
  /** Sees what belongs to others too. */
  readonly isAdministrator: boolean;
  readonly mayWrite: boolean;
  readonly mayRegister: boolean;
  /** Who may register records: `everyone`, `administrators`, or `group:` and the name of a group. */
  readonly registration: string;
  /** The server makes accounts of invitations. */
  readonly mayInvite: boolean;
}

export const PersonContext = createContext<Person | undefined>(undefined);

export function usePerson(): Person {
  const person = useContext(PersonContext);
  if (person === undefined) throw new Error('no signed-in person is known around this component');
  return person;
}
