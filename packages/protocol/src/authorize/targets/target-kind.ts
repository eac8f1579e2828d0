import type { Client } from '../../model/records/client.ts';
import type { SigningAlgorithm } from '../../model/signing-algorithm.ts';
import type { Message } from '../../ports/modules/module-step.ts';

/** Where the response to an authorization request goes. */
export interface ResponseTarget {
  readonly kind: TargetKind;
  /** A redirect URI, or what else the kind of target finds the client by. */
  readonly address: string;
  /** The client's `state`, which every response repeats. */
  readonly state?: string;
  /** How the response is signed, if the kind of target is of signed responses. */
  readonly signature?: ResponseSignature;
  /** The request that the client pushed, which the response uses up. */
  readonly pushed?: PushedReference;
}

/** The client gets its response as a JWT (JWT Secured Authorization Response Mode §2.1). */
export interface ResponseSignature {
  /** `client_id` of the client. */
  readonly audience: string;
  /** As the client has registered it; empty: the first of the server. */
  readonly algorithm: SigningAlgorithm | '';
}

/** A request that the client pushed. It has one response at most (RFC 9126 §4). */
export interface PushedReference {
  /** Of the stored request. */
  readonly key: string;
  /** Epoch milliseconds: from then on it has no response any more. */
  readonly answerBefore: number;
}

/** All that depends on where a response goes. No kind of target knows another. */
export interface TargetKind {
  /** Sealed states have it. A value of `response_mode`, if a request can name it. */
  readonly name: string;
  /** Whether the parameters of a response are in a JWT. Default: `false`. */
  readonly isSigned?: boolean;
  /** Whether a response for the client can go there, by its registration. */
  isAllowedFor(address: string, client: Client): boolean;
  /** The address that the registration alone tells; `undefined` if it tells none. */
  registered(client: Client): string | undefined;
  /** Whether this client gets the response, and nobody else. Otherwise the resource owner is asked each time. */
  isCertain(address: string, client: Client, issuer: string): boolean;
  /** What pages say of the target, and what their policy allows. */
  destination(address: string): Destination;
  /** Takes a response to the client, also one that is an error. What it stores is durable when the promise resolves. */
  respond(address: string, parameters: ResponseParameters): ClientResponse | Promise<ClientResponse>;
  /** What the page of an error before the login offers, without any effect; `undefined` if the client learns nothing of that error. */
  offer(address: string, parameters: ResponseParameters): WayToClient | undefined;
}

export interface Destination {
  /** Where the browser goes: the host of a redirect URI, or the private-use scheme of an application. Absent if it stays at this server. */
  readonly host?: string;
  /** The origin or scheme to which the answer to a form leads (`form-action`). Absent if it stays at this server. */
  readonly formTarget?: string;
  /** What the consent page says of it, with the value `host`. */
  readonly consentText: Message;
}

/** The parameters of an authorization response. */
export type ResponseParameters = Readonly<Record<string, string>>;

/** What the browser gets with a response to the client. */
export type ClientResponse = WayToClient | NoticeAnswer;

/** The browser takes the response to the client. */
export type WayToClient = RedirectAnswer | FormPostAnswer;

/** The browser stays, and gets a last page: the client has its response in another way. */
export interface NoticeAnswer {
  readonly type: 'notice';
  readonly title: Message;
  readonly text: Message;
}

/** The browser is sent to a location. */
export interface RedirectAnswer {
  readonly type: 'redirect';
  readonly location: string;
}

/** The browser gets a page with a form. */
export interface FormPostAnswer {
  readonly type: 'formPost';
  /** The redirect URI of the client. */
  readonly location: string;
  readonly fields: Readonly<Record<string, string>>;
}
