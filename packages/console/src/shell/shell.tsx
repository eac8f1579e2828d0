import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { Loading } from '../components/loading.tsx';
import type { FoundCredential } from '../components/search/credential.ts';
import { CredentialSearchContext } from '../components/search/credential-search.ts';
import { Access } from '../pages/access/access-list.tsx';
import { AuditLog } from '../pages/audit/audit-log.tsx';
import { Clients } from '../pages/clients/clients.tsx';
import { ResourceServers } from '../pages/resource-servers/resource-servers.tsx';
import { FoundToken } from '../pages/tokens/found-token.tsx';
import { Tokens } from '../pages/tokens/token-list.tsx';
import { Link } from '../router/link.tsx';
import { part } from '../router/part.ts';
import { match, placeOf, scrollBack, useHistoryEntry, usePlace } from '../router/place.ts';
import { routes } from '../router/routes.ts';
import { t } from '../texts/texts.ts';
import { BrokenPage } from './broken.tsx';
import { Navigation } from './navigation.tsx';

/** The navigation, and the page of the address. */
export function Shell() {
  const { route, step, top } = useHistoryEntry();
  const { path } = placeOf(route);
  const main = useRef<HTMLElement>(null);
  const before = useRef({ step, path });
  useEffect(() => {
    if (before.current.step === step) return;
    const isOtherPage = before.current.path !== path;
    before.current = { step, path };
    // As after following a link to another page: keyboard and screen reader begin at its top.
    if (isOtherPage) main.current?.focus({ preventScroll: true });
    if (isOtherPage && top === undefined) window.scrollTo(0, 0);
    return top === undefined ? undefined : scrollBack(top);
  }, [step, path, top]);
  return (
    <CredentialSearch>
      <div className="shell">
        <button type="button" className="skip-link" onClick={() => main.current?.focus()}>
          {t('shell.skip')}
        </button>
        <Navigation />
        <main ref={main} tabIndex={-1} className="page">
          <ErrorBoundary
            key={path}
            fallback={(error, tryAgain) => <BrokenPage error={error} onRetry={tryAgain} />}
          >
            <Suspense fallback={<Loading />}>{pageAt(path)}</Suspense>
          </ErrorBoundary>
        </main>
      </div>
    </CredentialSearch>
  );
}

// Lists are part of the first file. Forms are fetched when one is first opened, and charts with the overview.
const Overview = part(async () => (await import('../pages/overview/overview.tsx')).Overview);
const IdentityProviders = part(
  async () => (await import('../pages/identity-providers/identity-providers.tsx')).IdentityProviders,
);
const SigningKeys = part(async () => (await import('../pages/signing-keys/signing-keys.tsx')).SigningKeys);
const Settings = part(async () => (await import('../pages/settings/settings.tsx')).Settings);
const records = () => import('../pages/records.ts');
const NewResourceServer = part(async () => (await records()).NewResourceServer);
const ResourceServerPage = part(async () => (await records()).ResourceServerPage);
const NewClient = part(async () => (await records()).NewClient);
const Accounts = part(async () => (await records()).Accounts);
const ClientNamed = part(async () => (await records()).ClientNamed);
const PersonPage = part(async () => (await records()).PersonPage);
const RequestErrorPage = part(async () => (await records()).RequestErrorPage);
const ClientPage = part(async () => (await records()).ClientPage);

type Values = Readonly<Record<string, string>>;

const pages: readonly (readonly [pattern: string, page: (values: Values) => ReactNode])[] = [
  [routes.overview, () => <Overview />],
  [routes.resourceServers, () => <ResourceServers />],
  [routes.newResourceServer, () => <NewResourceServer />],
  [routes.resourceServer, ({ id }) => <ResourceServerPage key={id} id={Number(id)} />],
  [routes.newClient, ({ id }) => <NewClient key={id} resourceServerId={Number(id)} />],
  [
    routes.client,
    ({ id, clientId }) => <ClientPage key={clientId} resourceServerId={Number(id)} id={Number(clientId)} />,
  ],
  [routes.clientNamed, ({ named = '' }) => <ClientNamed clientId={named} />],
  [routes.clients, () => <Clients />],
  [routes.access, () => <Access />],
  [
    routes.person,
    ({ identityProvider = '', name = '' }) => (
      <PersonPage resourceOwnerAuthority={identityProvider} resourceOwnerId={name} />
    ),
  ],
  [routes.tokens, () => <Tokens />],
  [routes.accounts, () => <Accounts />],
  [routes.identityProviders, () => <IdentityProviders />],
  [routes.signingKeys, () => <SigningKeys />],
  [routes.settings, () => <Settings />],
  [routes.requestError, ({ requestId = '' }) => <RequestErrorPage requestId={requestId} />],
  [routes.audit, () => <AuditLog />],
];

function pageAt(path: string): ReactNode {
  for (const [pattern, page] of pages) {
    const values = match(pattern, path);
    if (values !== undefined && ['id', 'clientId'].every((name) => /^\d{1,15}$/.test(values[name] ?? '0'))) {
      return page(values);
    }
  }
  return <NothingHere />;
}

/** For addresses that lead nowhere. */
function NothingHere() {
  return (
    <EmptyState title={t('notHere.title')} isHeading>
      <Link to={routes.overview}>{t('notHere.overview')}</Link>
    </EmptyState>
  );
}

/** The dialog for a credential that was put into a search of any page. */
function CredentialSearch({ children }: { readonly children: ReactNode }) {
  const [found, setFound] = useState<FoundCredential | undefined>();
  const { path } = usePlace();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link in the dialog leaves it
  useEffect(() => setFound(undefined), [path]);
  return (
    <CredentialSearchContext value={setFound}>
      {children}
      {found !== undefined && <FoundToken found={found} onClose={() => setFound(undefined)} />}
    </CredentialSearchContext>
  );
}
