import type { Principal } from '../../model/principal.ts';
import type { Client } from '../../model/records/client.ts';
import type { ResourceServer } from '../../model/records/resource-server.ts';
import type { Scopes } from '../../model/scope.ts';
import type { ModuleOptions } from './authentication-module.ts';
import type { FormStep, Submission } from './module-step.ts';

/**
 * Asks the resource owner which scopes to grant. The server calls the module if the client does not skip consent and no
 * remembered consent covers the request, or if the resource owner must be asked in any case.
 */
export interface ConsentModule {
  readonly name: string;
  /** The reason why this module is for development only: a key or a text; absent for a module that asks the owner. */
  readonly insecureBecause?: string;
  begin(context: ConsentContext): Promise<ConsentStep>;
  /** The next step, after a form of this module. */
  resume(context: ConsentContext, submission: Submission): Promise<ConsentStep>;
}

export interface ConsentContext {
  readonly client: Client;
  /** That of the client. */
  readonly resourceServer: ResourceServer;
  /** The resource servers that the client wants to use: those that the request names (RFC 8707), or else its own. */
  readonly targets: readonly ConsentTarget[];
  /** The resource owner who is asked. */
  readonly resourceOwner: ConsentingOwner;
  /**
   * The scopes that the client requests, and those of the claims that it requests by name. `openid` has no box: the login
   * is what the resource owner consents to in any case. A scope of another resource server than that of the client has a prefix; `namesAt`
   * gives its name.
   */
  readonly scopes: Scopes;
  /** The requested scopes to which the resource owner consented before. */
  readonly consented: Scopes;
  /**
   * The resource owner must be asked, even if the consent is remembered: the client requests it (`prompt=consent`), or the
   * previous page was shown to another user. A module that remembers answers itself must also ask.
   */
  readonly mustAsk: boolean;
  /** Id of the request in the log. */
  readonly requestId: string;
  /** The `state` of the previous step; `undefined` in `begin`. */
  readonly state: unknown;
}

/** A resource server that a client wants to use. */
export interface ConsentTarget {
  readonly resourceServer: ResourceServer;
  /** Its URIs that the request names. */
  readonly resources: readonly string[];
}

/** A resource owner, as modules get it. */
export interface ConsentingOwner {
  /** The identity provider of the name: an authentication module, or one that the module names. */
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
  /** The scopes whose boxes are initially ticked. Default: all requested scopes. */
  readonly ticked?: Scopes;
}

/** The default export of a package or file that the setting `consent` names. */
export type ConsentModuleFactory = (options: ModuleOptions) => ConsentModule | Promise<ConsentModule>;
