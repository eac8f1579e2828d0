import type { Client } from '../model/client.ts';
import type { Principal } from '../model/principal.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { Scopes } from '../model/scope.ts';
import type { ModuleOptions } from './authentication-module.ts';
import type { FormStep, Submission } from './module-step.ts';

/**
 * Asks the resource owner what the client can do. The server asks the module when the client does not skip consent and no
 * remembered consent covers the request, or when the resource owner has to be asked in any case.
 */
export interface ConsentModule {
  readonly name: string;
  /** Why this module must not be used outside of development: a key or a text; absent for one that asks the owner. */
  readonly insecureBecause?: string;
  begin(context: ConsentContext): Promise<ConsentStep>;
  /** The next step, after a form of this module. */
  resume(context: ConsentContext, submission: Submission): Promise<ConsentStep>;
}

export interface ConsentContext {
  readonly client: Client;
  readonly resourceServer: ResourceServer;
  /** The resource owner who is asked. */
  readonly resourceOwner: ConsentingOwner;
  /** The scopes that the client requests. */
  readonly scopes: Scopes;
  /** The requested scopes to which the resource owner consented before. */
  readonly consented: Scopes;
  /**
   * The resource owner has to be asked, even after a consent before: the client wants it (`prompt=consent`), or the page
   * before was shown to another person. A module that remembers answers itself must obey it.
   */
  readonly mustAsk: boolean;
  /** Id of the request in the log. */
  readonly requestId: string;
  /** The `state` of the step before; `undefined` in `begin`. */
  readonly state: unknown;
}

/** A resource owner, as modules know them. */
export interface ConsentingOwner {
  /** The identity provider that vouches for the name: an authentication module, or one that the module names. */
  readonly identityProvider: string;
  /** Exactly what token info returns. */
  readonly principal: Principal;
}

export type ConsentStep = ConsentGiven | ConsentDenied | ConsentFormStep;

export interface ConsentGiven {
  readonly type: 'consented';
  /** All requested scopes, or some of them. */
  readonly scopes: Scopes;
  /** Whether the consent is remembered, so that the resource owner is not asked again. */
  readonly remember: boolean;
}

/** The resource owner denied the request: the client receives `access_denied`. */
export interface ConsentDenied {
  readonly type: 'denied';
}

/** Shows the consent page. */
export interface ConsentFormStep extends FormStep {
  /** The scopes whose boxes are ticked at first; default: all requested scopes. */
  readonly ticked?: Scopes;
}

/** The default export of a package or file that the setting `consent` names. */
export type ConsentModuleFactory = (options: ModuleOptions) => ConsentModule | Promise<ConsentModule>;
