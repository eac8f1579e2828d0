import {
  createBearerValue,
  type InitialToken,
  type InitialTokenReader,
  type MalformedField,
  OAuthError,
  textProblems,
  Violations,
} from '@watchword/protocol';
import { type Caller, requireAdministrator } from '../callers/caller.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { type Page, type PageRequest, readPage } from '../lists/page.ts';

export interface NewInitialToken extends Pick<InitialToken, 'note' | 'maxClients'> {
  /** Seconds for which it is valid; 0: without an end. */
  readonly lifetime: number;
}

/** Initial access tokens, with which clients register themselves. For administrators alone. */
export interface InitialTokenAdministration {
  /** In the order in which they were made, also those that have expired. @throws OAuthError `access_denied`, as all */
  list(caller: Caller, page: PageRequest<string>): Promise<Page<InitialToken, string>>;
  /** @throws OAuthError `invalid_request` with every violation, `conflict` */
  create(
    caller: Caller,
    given: NewInitialToken,
    malformed: readonly MalformedField[],
  ): Promise<{ readonly token: InitialToken; readonly value: string }>;
  /** Clients that registered with it stay. @throws OAuthError `not_found` */
  end(caller: Caller, id: string): Promise<void>;
}

export interface InitialTokenDependencies extends AdministrationDependencies {
  readonly initialTokens: InitialTokenReader;
}

const maxTokens = 1000;
const maxNoteLength = 255;

export function initialTokenAdministration(deps: InitialTokenDependencies): InitialTokenAdministration {
  const { clock, initialTokens, random } = deps;
  return {
    list(caller, page) {
      requireAccess(caller);
      return readPage(page, {
        fetch: (after, limit) => initialTokens.list({ ...(after !== undefined && { after }), limit }),
        positionOf: ({ id }) => id,
        pick: (token) => token,
      });
    },

    async create(caller, { note, maxClients, lifetime }, malformed) {
      requireAccess(caller);
      const violations = new Violations(malformed);
      violations.addAll('note', textProblems(note, maxNoteLength), note);
      violations.throwIfAny();
      const creationDate = clock.now();
      const { id, value, verifierHash: digest } = createBearerValue('initial', creationDate, random);
      const expires = lifetime === 0 ? 0 : creationDate + lifetime * 1000;
      const token: InitialToken = { id, digest, note, creationDate, expires, maxClients, clients: 0 };
      return changeRecords(caller, deps, async (stores) => {
        if ((await stores.initialTokens.list({ limit: maxTokens })).length >= maxTokens) throw tooMany();
        await stores.initialTokens.create(token);
        const after = { note, expires, maxClients };
        return { value: { token, value }, changes: [{ action: 'create', ...ofToken(token, caller), after }] };
      });
    },

    async end(caller, id) {
      requireAccess(caller);
      await changeRecords(caller, deps, async (stores) => {
        const token = await stores.initialTokens.find(id);
        if (token === undefined) {
          throw new OAuthError('not_found', { description: 'There is no such initial access token.' });
        }
        await stores.initialTokens.remove(id);
        const { note, expires, maxClients, clients } = token;
        const before = { note, expires, maxClients, clients };
        return { value: undefined, changes: [{ action: 'delete', ...ofToken(token, caller), before }] };
      });
    },
  };
}

function ofToken({ id, note }: InitialToken, { identity: owner }: Caller) {
  return { recordType: 'initialToken', recordId: id, recordName: note || id, owner } as const;
}

function tooMany(): OAuthError {
  return new OAuthError('conflict', {
    description: `There are ${maxTokens} initial access tokens; end one first.`,
  });
}

function requireAccess(caller: Caller): void {
  requireAdministrator(caller, 'decide who registers clients at the server');
}
