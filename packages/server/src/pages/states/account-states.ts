import type { Message } from '@watchword/protocol';
import { account, application, client, form, type PageState, scopes, tools } from './state-samples.ts';

const title = (key: string, values: Readonly<Record<string, string>> = {}): Message => ({ key, values });

const uses = { client: client.name };

/** The account page, and the pages that ask before access is removed. */
export const accountStates: readonly PageState[] = [
  { name: 'account', label: [title('account.title')], page: account },
  { name: 'account-empty', label: [title('account.empty')], page: { ...account, applications: [] } },
  {
    name: 'withdraw',
    label: [title('withdraw.title', uses)],
    page: {
      page: 'withdraw',
      ...form,
      application: { ...application, lastUsed: 0, scopes, consentedScopes: [] },
      accountUrl: '#',
    },
  },
  { name: 'account-tools', label: [title('account.toolsTitle')], page: { ...account, tools } },
  {
    name: 'withdraw-tools',
    label: [title('withdraw-tools.title')],
    page: {
      ...{ page: 'withdraw-tools', ...form, selection: 'all', accountUrl: '#' },
      applications: tools.flatMap(({ applications }) => applications),
    },
  },
  {
    name: 'account-withdrawn',
    label: [title('account.withdrawn', uses)],
    page: { ...account, withdrawn: { name: client.name, home: 'https://planner.example' } },
  },
];
