import type { Message, ScopeDescription } from '@watchword/protocol';

/** A form that is posted to this server. `authState` is its hidden field `auth_state`. */
export interface FormPage {
  /** The target of the form: a path of this server. */
  readonly action: string;
  readonly authState: string;
  /** Message above the form. It describes a problem, unless it is neutral. */
  readonly message?: Message | undefined;
  /** The message describes no problem, and the title mentions none. */
  readonly isNeutral?: boolean;
}

export interface ShownOwner {
  readonly name: string;
  readonly displayName: string;
}

export interface ShownClient {
  readonly name: string;
  readonly description: string;
  /** URL of a picture, or `''`. */
  readonly picture: string;
}

/** A resource server; others can have the same name. */
export interface NamedResourceServer {
  readonly key: string;
  readonly name: string;
  /** Of its URI, if it has one. */
  readonly host?: string | undefined;
}

/** A scope, with what its resource server says of it. */
export interface DescribedScope extends ScopeDescription {
  /** It is a scope of OpenID Connect, for which the locale files have the text. */
  readonly isOpenid?: boolean;
  /** What forms post for it. Default: the name. */
  readonly value?: string;
  /** The key of its resource server, which the page names, where the page has scopes of several. */
  readonly resourceServer?: string;
}
