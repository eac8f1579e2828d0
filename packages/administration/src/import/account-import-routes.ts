import { type JsonObject, OAuthError } from '@watchword/protocol';
import { requireAccountAccess } from '../accounts/account-rules.ts';
import type { Caller } from '../callers/caller.ts';
import type { Route } from '../route.ts';
import { type JsonSchema, objectSchema } from '../schema/json-schema.ts';
import { inputSchema } from '../schema/record-schema.ts';
import { type AccountImportDependencies, accountImport, importedAccountSchema } from './import-accounts.ts';

/** Accounts of one request, which is one transaction. */
export const mostImported = 1000;
/** Bytes of the body of one request. */
export const importBodyLimit = 2 * 1024 * 1024;

const outcomes = ['created', 'unchanged', 'different', 'refused'] as const;

export const importedAccountOutcomeSchema: JsonSchema = objectSchema('What came of one account.', {
  index: { type: 'integer', description: 'Its place in the request, from 0 on.' },
  username: { type: 'string', description: 'Empty if it has none.' },
  outcome: {
    enum: outcomes,
    description:
      'An account that exists stays as it is; it is different if the request says something else of it.',
  },
  details: {
    type: 'array',
    items: { type: 'string' },
    description: 'Names of the fields that differ, or why it is refused.',
  },
});

export const accountImportSchema: JsonSchema = objectSchema('What came of the accounts of one request.', {
  stored: {
    type: 'boolean',
    description: 'False after a dry run, and if one is refused: then nothing is stored.',
  },
  accounts: { type: 'array', items: { $ref: '#/components/schemas/ImportedAccountOutcome' } },
});

export interface AccountImportRouteDependencies {
  readonly accountImports: AccountImportDependencies & { readonly hasLocalLogin: boolean };
}

export function accountImportRoutes({ accountImports }: AccountImportRouteDependencies): Route[] {
  return [
    {
      id: 'importAccounts',
      method: 'POST',
      path: '/admin/accountImport',
      tag: 'Local accounts',
      summary: 'Create many local accounts',
      description: `Up to ${mostImported}, all or none of them. An account that exists stays as it is, so an import that was interrupted is repeated. They come without passwords and factors: users set a password with a reset link, or with a mail if mail is set up. Only for administrators: any other caller gets 403. 404 if the authenticator password is not configured.`,
      scope: 'write',
      body: { schema: bodySchema, isRequired: true, limit: importBodyLimit },
      answer: {
        status: 200,
        description: 'What came of each, or of those that are refused.',
        schema: { $ref: '#/components/schemas/AccountImport' },
      },
      errors: [400, 404],
      async handle({ caller, body }) {
        requireAccountAccess(caller, accountImports.hasLocalLogin);
        return { status: 200, body: await importAll(caller, accountImports, body()) };
      },
    },
  ];
}

const bodySchema: JsonSchema = {
  type: 'object',
  properties: {
    accounts: { type: 'array', maxItems: mostImported, items: inputSchema(importedAccountSchema) },
    dryRun: { type: 'boolean', description: 'Only report what the import would do. Default: false.' },
  },
  required: ['accounts'],
};

async function importAll(caller: Caller, deps: AccountImportDependencies, given: unknown) {
  const { accounts, dryRun = false } = Object(given) as JsonObject;
  const isList = Array.isArray(accounts) && accounts.length <= mostImported;
  if (!isList || typeof dryRun !== 'boolean') {
    throw new OAuthError('invalid_request', {
      rule: 'valid_record',
      description: `Expected accounts, a list of at most ${mostImported} objects, and dryRun, true or false.`,
    });
  }
  const add = accountImport(caller, deps, { isDryRun: dryRun });
  const reports = await add(accounts.map((value, line) => ({ line, value })));
  const stored = !dryRun && reports.every(({ outcome }) => outcome !== 'refused');
  return { stored, accounts: reports.map(({ line: index, ...report }) => ({ index, ...report })) };
}
