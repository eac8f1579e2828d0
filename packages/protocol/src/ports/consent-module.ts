import type { Client } from '../model/client.ts';
import type { Principal } from '../model/principal.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { Scopes } from '../model/scope.ts';
import type { ModuleOptions } from './authentication-module.ts';
import type { FormStep, Submission } from './module-step.ts';

/**
 * Asks the resource owner what the client may do. The server asks it only when the client does not skip
 * consent and no remembered consent covers the request, or when the owner must be asked all the same.
 */
export interface ConsentModule {
  readonly name: string;
  /** Why this module must not decide outside of development, a key or a text; absent for one that asks the owner. */
  readonly insecureBecause?: string;
  begin(context: ConsentContext): Promise<ConsentStep>;
  /** The next step after a form of this module's. */
  resume(context: ConsentContext, submission: Submission): Promise<ConsentStep>;
}

export interface ConsentContext {
  readonly client: Client;
  readonly resourceServer: ResourceServer;
  /** Who is asked. */
  readonly resourceOwner: ConsentingOwner;
  /** What the client asks for. */
  readonly scopes: Scopes;
  /** Those of them that the resource owner consented to before. */
  readonly consented: Scopes;
  /**
   * The owner has to be asked, although they may have agreed before: the client wants it (`prompt=consent`), or the page
   * that led here was shown to another person. A module that remembers answers itself goes by it.
   */
  readonly mustAsk: boolean;
  /** Id of the request in the log. */
  readonly requestId: string;
  /** What the step before put into `state`; `undefined` in `begin`. */
  readonly state: unknown;
}

/** A resource owner, as modules know them. */
export interface ConsentingOwner {
  /** Who vouches for the name: an authentication module, or an identity provider that it names. */
  readonly identityProvider: string;
  /** Exactly what token info answers. */
  readonly principal: Principal;
}

export type ConsentStep = ConsentGiven | ConsentDenied | ConsentFormStep;

export interface ConsentGiven {
  readonly type: 'consented';
  /** A part of what was asked for, or all of it. */
  readonly scopes: Scopes;
  /** Whether the owner need not be asked again. */
  readonly remember: boolean;
}

/** The owner said no: the client is told `access_denied`. */
export interface ConsentDenied {
  readonly type: 'denied';
}

/** Show the consent page. */
export interface ConsentFormStep extends FormStep {
  /** The scopes whose boxes are ticked at first; default: all that were asked for. */
  readonly ticked?: Scopes;
}

/** What a package or file that is named as `consent` exports as its default. */
export type ConsentModuleFactory = (options: ModuleOptions) => ConsentModule | Promise<ConsentModule>;
