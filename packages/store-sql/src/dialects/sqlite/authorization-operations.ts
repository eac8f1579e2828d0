import type {
  AccessToken,
  AuditEvent,
  AuthorizationCode,
  ConsentAnswer,
  ConsentKey,
  Grant,
  LoginSession,
  RefreshToken,
  Scopes,
  TokenPair,
  TokenSet,
} from '@watchword/protocol';
import { formatScope, maxCodeFailures } from '@watchword/protocol';
import { type LoginEventColumns, loginEventColumns } from '../../login-event-columns.ts';
import { digestToText } from './digest-text.ts';

/**
 * The writes of the authorization flow, each all or nothing within the transaction that it shares with
 * others. Like every hot write they travel as primitives, in the order of the columns.
 */
export type AuthorizationOperation =
  | readonly [
      type: 'insertGrantWithCode',
      grant: GrantColumns,
      code: CodeColumns,
      event: LoginEventColumns | undefined,
    ]
  | readonly [
      type: 'insertGrantWithToken',
      grant: GrantColumns,
      accessToken: GrantedTokenColumns,
      answer: AnswerColumns | undefined,
      event: LoginEventColumns | undefined,
    ]
  | readonly [type: 'noteAnswer', answer: AnswerColumns]
  | readonly [
      type: 'redeemCode',
      id: string,
      now: number,
      maxFailures: number,
      accessToken: GrantedTokenColumns,
      refreshToken: RefreshTokenColumns | undefined,
    ]
  | readonly [type: 'recordCodeFailure', id: string]
  | readonly [
      type: 'rotateRefreshToken',
      id: string,
      now: number,
      sealedAnswer: string,
      accessToken: GrantedTokenColumns,
      refreshToken: RefreshTokenColumns,
    ]
  | readonly [type: 'repeatRotation', id: string, maxRepetitions: number, maxStreak: number]
  | readonly [type: 'revokeGrant', id: string, now: number]
  | readonly [type: 'saveConsent', consent: ConsentColumns, grantId: string | undefined]
  | readonly [type: 'insertLoginSession', session: LoginSessionColumns, event: LoginEventColumns | undefined]
  | readonly [type: 'touchLoginSession', id: string, now: number]
  | readonly [type: 'deleteLoginSession', id: string, event: LoginEventColumns | undefined];

export type GrantColumns = readonly [
  id: string,
  clientRecordId: number,
  authority: string,
  principalName: string,
  principal: string,
  scopes: string,
  creationDate: number,
  subject: string,
  authentication: string,
];

export type CodeColumns = readonly [
  id: string,
  verifierHash: string,
  grantId: string,
  clientRecordId: number,
  redirectUri: string | null,
  codeChallenge: string | null,
  scopes: string,
  expires: number,
  creationDate: number,
];

export type AnswerColumns = readonly [id: string, expires: number];

export type GrantedTokenColumns = readonly [
  id: string,
  verifierHash: string,
  grantId: string,
  clientRecordId: number,
  scopes: string,
  expires: number,
  creationDate: number,
];

export type RefreshTokenColumns = readonly [
  id: string,
  verifierHash: string,
  grantId: string,
  clientRecordId: number,
  scopes: string,
  expires: number,
  absoluteExpires: number,
  creationDate: number,
];

export type ConsentColumns = readonly [
  clientRecordId: number,
  authority: string,
  principalName: string,
  redirectUri: string,
  scopes: string,
  savedAt: number,
  subject: string,
];

export type LoginSessionColumns = readonly [
  id: string,
  verifierHash: string,
  authenticator: string,
  authority: string,
  principalName: string,
  principal: string,
  creationDate: number,
  lastUsed: number,
  expires: number,
  subject: string,
  authentication: string,
];

export function insertGrantWithCode(
  grant: Grant,
  code: AuthorizationCode,
  event: AuditEvent | undefined,
): AuthorizationOperation {
  const columns = codeColumns(under(grant.id, code));
  return ['insertGrantWithCode', grantColumns(grant), columns, event && loginEventColumns(event)];
}

export function insertGrantWithToken(
  grant: Grant,
  accessToken: AccessToken,
  answer: ConsentAnswer | undefined,
  event: AuditEvent | undefined,
): AuthorizationOperation {
  const token = tokenColumns(under(grant.id, accessToken));
  const columns = grantColumns(grant);
  return [
    'insertGrantWithToken',
    columns,
    token,
    answer && answerColumns(answer),
    event && loginEventColumns(event),
  ];
}

export function noteAnswer(answer: ConsentAnswer): AuthorizationOperation {
  return ['noteAnswer', answerColumns(answer)];
}

export function redeemCode(
  id: string,
  { accessToken, refreshToken }: TokenSet,
  now: number,
): AuthorizationOperation {
  const token = tokenColumns(accessToken);
  const refresh = refreshToken && refreshColumns(under(token[2], refreshToken));
  return ['redeemCode', id, now, maxCodeFailures, token, refresh];
}

export function rotateRefreshToken(
  id: string,
  { accessToken, refreshToken }: TokenPair,
  sealedAnswer: string,
  now: number,
): AuthorizationOperation {
  const token = tokenColumns(accessToken);
  return ['rotateRefreshToken', id, now, sealedAnswer, token, refreshColumns(under(token[2], refreshToken))];
}

export function saveConsent(
  { owner, subject, clientRecordId, redirectUri }: ConsentKey,
  scopes: Scopes,
  now: number,
  grantId: string | undefined,
): AuthorizationOperation {
  const { authority, name } = owner;
  return [
    'saveConsent',
    [clientRecordId, authority, name, redirectUri, formatScope(scopes), now, subject],
    grantId,
  ];
}

export function insertLoginSession(
  session: LoginSession,
  event: AuditEvent | undefined,
): AuthorizationOperation {
  const { id, verifierHash, authenticator, owner, authentication, creationDate, lastUsed, expires } = session;
  const { authority, subject, principal } = owner;
  return [
    'insertLoginSession',
    [
      id,
      digestToText(verifierHash),
      authenticator,
      authority,
      principal.name,
      JSON.stringify(principal),
      creationDate,
      lastUsed,
      expires,
      subject,
      JSON.stringify(authentication),
    ],
    event && loginEventColumns(event),
  ];
}

export function deleteLoginSession(id: string, event: AuditEvent | undefined): AuthorizationOperation {
  return ['deleteLoginSession', id, event && loginEventColumns(event)];
}

function grantColumns({
  id,
  clientRecordId,
  owner,
  authentication,
  scopes,
  creationDate,
}: Grant): GrantColumns {
  const { authority, subject, principal } = owner;
  const json = JSON.stringify(principal);
  const how = JSON.stringify(authentication);
  const { name } = principal;
  return [id, clientRecordId, authority, name, json, formatScope(scopes), creationDate, subject, how];
}

function answerColumns({ id, expires }: ConsentAnswer): AnswerColumns {
  return [id, expires];
}

function codeColumns(code: AuthorizationCode): CodeColumns {
  const { id, verifierHash, grantId, clientRecordId, scopes, expires, creationDate } = code;
  return [
    id,
    digestToText(verifierHash),
    grantId,
    clientRecordId,
    code.redirectUri ?? null,
    code.codeChallenge ?? null,
    formatScope(scopes),
    expires,
    creationDate,
  ];
}

function tokenColumns(token: AccessToken): GrantedTokenColumns {
  const { id, verifierHash, clientRecordId, scopes, expires, creationDate, grantId } = token;
  if (grantId === undefined) throw new Error('a token that is issued under a grant names it');
  const hash = digestToText(verifierHash);
  return [id, hash, grantId, clientRecordId, formatScope(scopes), expires, creationDate];
}

function refreshColumns(token: RefreshToken): RefreshTokenColumns {
  const { id, verifierHash, grantId, clientRecordId, scopes, expires, absoluteExpires, creationDate } = token;
  const hash = digestToText(verifierHash);
  return [id, hash, grantId, clientRecordId, formatScope(scopes), expires, absoluteExpires, creationDate];
}

function under<Record extends { readonly grantId: string | undefined }>(id: string, record: Record): Record {
  if (record.grantId !== id) throw new Error('what is stored together hangs on one grant');
  return record;
}
