import type { Parameters } from '@watchword/protocol';
import type { AdministrationScope } from './callers/authenticate-caller.ts';
import type { Caller } from './callers/caller.ts';
import type { EditCondition } from './changes/edit.ts';
import type { JsonSchema } from './schema/json-schema.ts';

/** One route of the administration interface: address, checks and documentation are made from it. */
export interface Route {
  /** Its `operationId`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL; parts in braces are named in `path` of the request. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The scope that the access token needs. */
  readonly scope: AdministrationScope;
  /** Whether it cannot be undone: people must have logged in shortly before. */
  readonly needsFreshLogin?: true;
  readonly query?: readonly QueryParameter[];
  readonly body?: BodyDescription;
  /** Whether `If-Match` makes it conditional. */
  readonly isConditional?: true;
  readonly answer: AnswerDescription;
  /** Error statuses of this route, in addition to those of every route. */
  readonly errors?: readonly ErrorStatus[];
  readonly handle: AdminHandler;
}

export type AdminHandler = (request: AdminRequest) => Promise<AdminAnswer>;

/** Error statuses that a route documents. */
export type ErrorStatus = 400 | 404 | 409 | 412;

export interface QueryParameter {
  readonly name: string;
  readonly isRequired?: true;
  readonly description: string;
  readonly schema: JsonSchema;
}

interface BodyDescription {
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** Maximum size in bytes, if it differs from the usual one. */
  readonly limit?: number;
}

export interface AnswerDescription {
  readonly status: 200 | 201 | 204;
  readonly description: string;
  readonly schema?: JsonSchema;
  readonly headers?: readonly ('ETag' | 'Location' | 'Link' | 'X-Total-Count')[];
}

export interface AdminRequest {
  readonly caller: Caller;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Parameters;
  /** The JSON of the body; `undefined` when it is empty. @throws OAuthError */
  body(): unknown;
  readonly condition: EditCondition | undefined;
  /** Path of the base URL, `''` when it has none. */
  readonly prefix: string;
}

export interface AdminAnswer {
  readonly status: 200 | 201 | 204;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
